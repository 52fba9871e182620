import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import type { ApiVersion, NetworkLimit } from '../../domain/network-limits.js';
import type { Account } from '../../domain/provider-publishing.js';
import { ContainerProvider } from '../containers/container-provider.js';
import { containerLimits } from '../containers/container-quota.js';
import { threadsContainers } from './threads-containers.js';
import { POSTS_PER_DAY } from './threads-limits.js';
import { ThreadsConfig } from './threads.config.js';
import type { ProfileOfToken, ProfileSource } from '../containers/container-profile.js';
import { graphIdIn } from '../graph/graph-wire.js';
import { addressIn, memberOf, wordsIn } from '../values.js';

/** Tokens: developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions and …/long-lived-tokens (2026-04-14). */
const SCOPES = ['threads_basic', 'threads_content_publish'];
/** The only version since the interface was opened. */
const VERSION = 'v1.0';

@Injectable()
export class ThreadsProvider extends ContainerProvider {
  constructor(http: OutboundHttp, outbound: OutboundHttpConfig, clock: Clock, config: ThreadsConfig) {
    const { graphUrl, webUrl, authorizeUrl, appId = '', appSecret = '' } = config;
    const baseUrl = `${graphUrl}/${VERSION}`;
    super(http, outbound, clock, {
      platform: 'threads',
      network: threadsContainers(baseUrl, webUrl, clock),
      tokens: {
        displayName: 'Threads',
        authorizeUrl,
        tokenUrl: `${graphUrl}/oauth/access_token`,
        graphUrl,
        prefix: 'th',
        scopes: SCOPES,
        clientId: appId,
        clientSecret: appSecret,
      },
      profile: threadsProfile(baseUrl),
      isReal: new URL(graphUrl).hostname === 'graph.threads.net',
    });
  }

  apiVersion(): ApiVersion {
    return { name: VERSION, endsAt: null };
  }

  /** Replies have a limit of their own, 1 000 in 24 hours. */
  limits({ facts }: Account): readonly NetworkLimit[] {
    return containerLimits(facts, POSTS_PER_DAY);
  }
}

const FIELDS = 'id,username,name,threads_profile_picture_url';
/** UTF-16 units. */
const MAX_NAME = 200;

/** developers.facebook.com/docs/threads/threads-profiles (2026-04-14), `GET /me`. */
const threadsProfile = (baseUrl: string): ProfileSource => ({
  displayName: 'Threads',
  url: `${baseUrl}/me?${new URLSearchParams({ fields: FIELDS }).toString()}`,
  profileIn,
});

function profileIn(body: unknown): ProfileOfToken | null {
  const accountId = graphIdIn(memberOf(body, 'id'));
  const username = wordsIn(memberOf(body, 'username'), MAX_NAME);
  if (accountId === null || username === null) return null;
  return {
    accountId,
    username,
    displayName: wordsIn(memberOf(body, 'name'), MAX_NAME) ?? username,
    avatarUrl: addressIn(memberOf(body, 'threads_profile_picture_url')),
    facts: {},
    consentId: null,
  };
}
