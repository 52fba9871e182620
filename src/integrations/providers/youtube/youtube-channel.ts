import { Injectable } from '@nestjs/common';
import { GatewayClient } from '#libs/platform-client';
import {
  AuthorizationFailed,
  NetworkIsUnavailable,
  ServiceIsRefused,
} from '../../domain/integration.errors.js';
import type { AccountProfile, Connecting } from '../../domain/provider-grants.js';
import { addressIn, wordsIn } from '../values.js';
import { classifyRefusal, isOfApi } from './youtube-errors.js';
import { isChannelId } from './youtube-rules.js';

/** UTF-16 units; YouTube allows 100 characters for a name and 30 for a handle. */
const MAX_NAME = 200;

@Injectable()
export class YoutubeChannel {
  constructor(private readonly gateway: GatewayClient) {}

  /** @throws AuthorizationFailed without a channel, ServiceIsRefused, NetworkIsUnavailable */
  async read(accessToken: string, { organizationId }: Connecting): Promise<AccountProfile> {
    const result = await this.gateway.channel({ accessToken, organizationId });
    if (result.kind === 'answered') {
      if (result.value === null) throw new AuthorizationFailed(NO_CHANNEL);
      const { id, title, handle, thumbnailUrl } = result.value;
      if (!isChannelId(id)) throw new NetworkIsUnavailable('YouTube');
      const displayName = wordsIn(title, MAX_NAME) ?? id;
      const username = wordsIn(handle?.replace(/^@/, ''), MAX_NAME) ?? id;
      return { accountId: id, username, displayName, avatarUrl: addressIn(thumbnailUrl), facts: {} };
    }
    if (result.kind === 'refused' && isOfApi(result)) throw refusal(result);
    throw new NetworkIsUnavailable('YouTube');
  }
}

const NO_CHANNEL = 'This Google account has no YouTube channel. Create one on YouTube, then start again.';

function refusal(refused: Parameters<typeof classifyRefusal>[0]): Error {
  const { failure } = classifyRefusal(refused);
  if (failure.class === 'configuration') return new ServiceIsRefused('YouTube', 'client_forbidden');
  if (failure.code === 'no_channel') return new AuthorizationFailed(NO_CHANNEL);
  if (failure.class === 'transient') return new NetworkIsUnavailable('YouTube');
  return new AuthorizationFailed(`${failure.message} ${failure.nextStep}`);
}
