import { Injectable } from '@nestjs/common';
import { NetworkIsUnavailable, ServiceIsRefused } from '../../integration.errors.js';
import { OutboundHttp } from '../../outbound/outbound-http.js';
import type { AccountProfile } from '../../provider.js';
import { forbidsClient, readXError } from './x-errors.js';
import { XConfig } from './x.config.js';

const PATH = '/2/users/me?user.fields=profile_image_url,verified,verified_type,subscription_type';

/** Who the token belongs to: from the current host, else from the legacy one. */
@Injectable()
export class XProfile {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
  ) {}

  /** @throws ServiceIsRefused or NetworkIsUnavailable when neither host tells. */
  async read(accessToken: string): Promise<AccountProfile> {
    let refused = false;
    for (const host of [this.config.apiUrl, this.config.legacyApiUrl]) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const answer = await this.http.send({ method: 'GET', url: host + PATH, headers });
      const profile = answer.kind === 'answered' && answer.status === 200 ? profileIn(answer.body) : null;
      if (profile) return profile;
      refused ||= answer.kind === 'answered' && forbidsClient(readXError(answer.status, answer.body));
    }
    if (refused) throw new ServiceIsRefused('X', 'client_forbidden');
    throw new NetworkIsUnavailable('X');
  }
}

function profileIn(body: unknown): AccountProfile | null {
  const user = (body as { data?: Record<string, unknown> } | null | undefined)?.data;
  if (typeof user?.id !== 'string' || typeof user.username !== 'string') return null;
  return {
    accountId: user.id,
    username: user.username,
    displayName: typeof user.name === 'string' ? user.name : user.username,
    avatarUrl: typeof user.profile_image_url === 'string' ? user.profile_image_url : null,
    pages: [],
    groups: [],
  };
}
