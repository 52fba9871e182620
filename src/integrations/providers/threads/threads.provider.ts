import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import type { ApiVersion, NetworkLimit } from '../../domain/network-limits.js';
import type { Account } from '../../domain/provider-publishing.js';
import { ContainerProvider } from '../containers/container-provider.js';
import { containerLimits } from '../containers/container-quota.js';
import { threadsContainers } from './threads-containers.js';
import { POSTS_PER_DAY } from './threads-limits.js';
import { threadsProfile } from './threads-profile.js';
import { ThreadsConfig } from './threads.config.js';

/** Tokens: developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions and …/long-lived-tokens (2026-04-14). */
const SCOPES = ['threads_basic', 'threads_content_publish'];
/** The only version since the interface was opened. */
const VERSION = 'v1.0';

/** Threads, the threaded-text network. */
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
