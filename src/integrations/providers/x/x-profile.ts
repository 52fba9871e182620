import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import { NetworkIsUnavailable, ServiceIsRefused } from '../../domain/integration.errors.js';
import type { AccountFacts, AccountProfile } from '../../domain/provider-grants.js';
import { forbidsClient, readXError } from './x-errors.js';
import { addressIn, bodyIn, memberOf, recordIn, wordsIn } from '../values.js';
import { idIn } from './x-values.js';
import { XConfig } from './x.config.js';

const PATH = '/2/users/me?user.fields=profile_image_url,verified,verified_type,subscription_type';
/** UTF-16 units. X allows 50 characters for a name and 15 for a username; old ones are longer. */
const MAX_NAME = 200;

/** The account of the token, from the current host, else from the legacy one. */
@Injectable()
export class XProfile {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
  ) {}

  /** @throws ServiceIsRefused, or NetworkIsUnavailable when neither host responds with a profile */
  async read(accessToken: string): Promise<AccountProfile> {
    let refused = false;
    for (const host of [this.config.apiUrl, this.config.legacyApiUrl]) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const response = await this.http.send({ method: 'GET', url: host + PATH, headers });
      const profile = profileIn(bodyIn(response));
      if (profile) return profile;
      refused ||= response.kind === 'answered' && forbidsClient(readXError(response.status, response.body));
    }
    if (refused) throw new ServiceIsRefused('X', 'client_forbidden');
    throw new NetworkIsUnavailable('X');
  }
}

function profileIn(body: unknown): AccountProfile | null {
  const user = recordIn(memberOf(body, 'data'));
  const accountId = idIn(user.id);
  const username = wordsIn(user.username, MAX_NAME);
  if (accountId === null || username === null) return null;
  return {
    accountId,
    username,
    displayName: wordsIn(user.name, MAX_NAME) ?? username,
    avatarUrl: addressIn(user.profile_image_url),
    facts: factsIn(user),
  };
}

/** `None`, `Basic`, `Premium` or `PremiumPlus`: subscribers may write longer posts and publish longer videos. */
function factsIn(user: Readonly<Record<string, unknown>>): AccountFacts {
  const subscription = wordsIn(user.subscription_type, MAX_NAME);
  return subscription === null ? {} : { subscription };
}
