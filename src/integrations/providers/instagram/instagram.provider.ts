import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import type { ApiVersion, NetworkLimit } from '../../domain/network-limits.js';
import type { Account } from '../../domain/provider-publishing.js';
import { containerLimits } from '../containers/container-quota.js';
import { ContainerProvider } from '../containers/container-provider.js';
import { graphVersion } from '../graph/graph-versions.js';
import { instagramContainers } from './instagram-containers.js';
import { POSTS_PER_DAY } from './instagram-limits.js';
import { instagramProfile } from './instagram-profile.js';
import { InstagramConfig } from './instagram.config.js';

/**
 * Business login for Instagram: developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 * (2026-03-13).
 */
const SCOPES = ['instagram_business_basic', 'instagram_business_content_publish'];

/** Instagram by its own business login, the photo-sharing network. */
@Injectable()
export class InstagramProvider extends ContainerProvider {
  constructor(
    http: OutboundHttp,
    outbound: OutboundHttpConfig,
    clock: Clock,
    private readonly config: InstagramConfig,
  ) {
    const { apiUrl, graphUrl, apiVersion, webUrl, authorizeUrl, appId = '', appSecret = '' } = config;
    const baseUrl = `${graphUrl}/${apiVersion}`;
    super(http, outbound, clock, {
      platform: 'instagram',
      network: instagramContainers(baseUrl, webUrl, clock),
      tokens: {
        displayName: 'Instagram',
        authorizeUrl,
        tokenUrl: `${apiUrl}/oauth/access_token`,
        graphUrl,
        prefix: 'ig',
        scopes: SCOPES,
        // Instagram asks for the account each time, also when the person is signed in.
        consent: { force_authentication: '1' },
        clientId: appId,
        clientSecret: appSecret,
      },
      profile: instagramProfile(baseUrl),
      isReal: new URL(graphUrl).hostname === 'graph.instagram.com',
    });
  }

  apiVersion(): ApiVersion {
    return graphVersion(this.config.apiVersion);
  }

  limits({ facts }: Account): readonly NetworkLimit[] {
    return containerLimits(facts, POSTS_PER_DAY);
  }
}
