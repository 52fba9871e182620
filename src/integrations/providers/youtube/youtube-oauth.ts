import type { Platform } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import { AuthorizationFailed } from '../../domain/integration.errors.js';
import type { Grant } from '../../domain/provider-grants.js';
import type { OAuthDialect } from '../oauth-provider.js';
import { namesClient } from '../token-endpoint.js';
import { memberOf } from '../values.js';
import type { YoutubeConfig } from './youtube.config.js';

const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload';
const READ = 'https://www.googleapis.com/auth/youtube.readonly';

/**
 * OAuth 2.0 with PKCE at Google (developers.google.com/identity/protocols/oauth2/web-server and
 * developers.google.com/youtube/v3/guides/auth/server-side-web-apps, read 2026-11-21). The response to a renewal has no refresh token:
 * the former one stays valid.
 */
export const youtubeOAuth = (
  { oauthUrl, authorizeUrl, clientId, clientSecret }: YoutubeConfig,
  hasGateway: boolean,
): OAuthDialect => ({
  platform: 'youtube' as Platform,
  displayName: 'YouTube',
  issuer: 'Google',
  isSetUp: Boolean(clientId && clientSecret) && hasGateway,
  // Only tokens of Google's own host work at Google's API.
  isReal: new URL(oauthUrl).hostname === 'oauth2.googleapis.com',
  setup: [oauthUrl, clientId, clientSecret],
  authorizeUrl,
  query: {
    client_id: clientId ?? '',
    scope: [UPLOAD, READ].join(' '),
    access_type: 'offline',
    // Google returns a refresh token only with a new consent. The person also chooses the account each time.
    prompt: 'select_account consent',
    include_granted_scopes: 'true',
  },
  usesPkce: true,
  tokenUrl: `${oauthUrl}/token`,
  revokeUrl: `${oauthUrl}/revoke`,
  client: {
    fields: { client_id: clientId ?? '', ...(clientSecret && { client_secret: clientSecret }) },
  },
  revokesWithoutClient: true,
  // Either token ends the whole consent.
  revoked: ({ accessToken, refreshToken }) => [refreshToken ?? accessToken],
  scopes: { separator: ' ', max: 4_000 },
  required: [UPLOAD],
  usable,
  refusesClient,
  refusesGrant: ({ body }) => memberOf(body, 'error') === 'invalid_grant',
});

function usable(grant: Grant): Grant {
  if (grant.refreshToken === null)
    throw new AuthorizationFailed(
      'Google gave no lasting access. Remove this app from the connections of your Google account, then start again.',
    );
  return grant;
}

function refusesClient(response: OutboundResponse): boolean {
  if (response.kind !== 'answered') return false;
  const error = memberOf(response.body, 'error');
  return namesClient(error) || error === 'deleted_client';
}
