import type { Platform } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import type { OAuthDialect } from '../oauth-provider.js';
import { isFinal, namesClient } from '../token-endpoint.js';
import { memberOf, wordsIn } from '../values.js';
import type { TikTokConfig } from './tiktok.config.js';

/** developers.tiktok.com/doc/tiktok-api-scopes, read 2026-11-21. */
const SCOPES = ['user.info.basic', 'video.publish', 'video.upload'];
/** UTF-16 units of an error. */
const MAX_ERROR = 2_000;

/**
 * OAuth 2.0 at TikTok: login-kit-web and oauth-user-access-token-management (developers.tiktok.com/doc, read 2026-11-21). The client
 * sends `client_key` and `client_secret` in the body; web apps have no PKCE. Refresh tokens rotate, so the tokens of each response
 * replace the stored ones. An error may come with status 200.
 */
export const tiktokOAuth = ({
  apiUrl,
  authorizeUrl,
  clientKey,
  clientSecret,
  isSandbox,
}: TikTokConfig): OAuthDialect => ({
  platform: 'tiktok' as Platform,
  displayName: 'TikTok',
  isSetUp: Boolean(clientKey && clientSecret),
  isReal: new URL(apiUrl).hostname === 'open.tiktokapis.com' && !isSandbox,
  setup: [apiUrl, clientKey, clientSecret],
  authorizeUrl,
  query: {
    client_key: clientKey ?? '',
    scope: SCOPES.join(','),
    // TikTok shows its page also to a person who allowed this service before.
    disable_auto_auth: '1',
  },
  tokenUrl: `${apiUrl}/v2/oauth/token/`,
  revokeUrl: `${apiUrl}/v2/oauth/revoke/`,
  client: {
    fields: { client_key: clientKey ?? '', client_secret: clientSecret ?? '' },
    headers: { 'cache-control': 'no-cache' },
  },
  // oauth-user-access-token-management, "Revoke access": the account no longer lists this service.
  revoked: ({ accessToken }) => [accessToken],
  scopes: { separator: ',', max: 2_000 },
  required: ['user.info.basic', 'video.publish'],
  refusesClient: (response) => namesClient(errorIn(response)),
  refusesCode: (response) => errorIn(response) !== null && isFinal(response),
  refusesGrant: (response) => errorIn(response) === 'invalid_grant',
});

/** OAuth's own errors are texts; errors of the gateway in front of it are objects. */
function errorIn(response: OutboundResponse): string | null {
  if (response.kind !== 'answered') return null;
  const error = memberOf(response.body, 'error');
  return wordsIn(typeof error === 'string' ? error : memberOf(error, 'code'), MAX_ERROR);
}
