import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import type { ApiVersion, NetworkLimit } from '../../domain/network-limits.js';
import type { Account } from '../../domain/provider-publishing.js';
import { containerLimits } from '../containers/container-quota.js';
import { ContainerProvider } from '../containers/container-provider.js';
import { graphVersion, graphIdIn } from '../graph/graph-wire.js';
import { instagramContainers } from './instagram-containers.js';
import { POSTS_PER_DAY } from './instagram-limits.js';
import { InstagramConfig } from './instagram.config.js';
import type { ProfileOfToken, ProfileSource } from '../containers/container-profile.js';
import { addressIn, memberOf, wordsIn } from '../values.js';

/**
 * Business login for Instagram: developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
 * (2026-03-13).
 */
const SCOPES = ['instagram_business_basic', 'instagram_business_content_publish'];

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

/** `id` is known to this app only, `user_id` is the account; publishing takes the second one. */
const FIELDS = 'id,user_id,username,name,account_type,profile_picture_url';
/** UTF-16 units. */
const MAX_NAME = 200;

/** developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user (2026-04-22), `GET /me`. */
const instagramProfile = (baseUrl: string): ProfileSource => ({
  displayName: 'Instagram',
  url: `${baseUrl}/me?${new URLSearchParams({ fields: FIELDS }).toString()}`,
  profileIn,
});

function profileIn(body: unknown): ProfileOfToken | null {
  const accountId = graphIdIn(memberOf(body, 'user_id'));
  const username = wordsIn(memberOf(body, 'username'), MAX_NAME);
  if (accountId === null || username === null) return null;
  const accountType = wordsIn(memberOf(body, 'account_type'), MAX_NAME);
  return {
    accountId,
    username,
    displayName: wordsIn(memberOf(body, 'name'), MAX_NAME) ?? username,
    avatarUrl: addressIn(memberOf(body, 'profile_picture_url')),
    facts: accountType === null ? {} : { accountType },
    consentId: graphIdIn(memberOf(body, 'id')),
  };
}
