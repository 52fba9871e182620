import type { Platform } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import type { OAuthDialect } from '../oauth-provider.js';
import { type Answered, namesClient } from '../token-endpoint.js';
import { memberOf } from '../values.js';
import { forbidsClient, readXError } from './x-errors.js';
import type { XConfig } from './x.config.js';

/** Read, write, media upload and offline refresh, without which the connection ends after two hours (docs.x.com, "OAuth 2.0 scopes"). */
const SCOPES = ['tweet.read', 'users.read', 'tweet.write', 'media.write', 'offline.access'];

/** OAuth 2.0 with PKCE at X. Refresh tokens are single-use: the tokens of each refresh response replace the stored ones. */
export const xOAuth = ({ apiUrl, authorizeUrl, clientId, clientSecret }: XConfig): OAuthDialect => ({
  platform: 'x' as Platform,
  displayName: 'X',
  isSetUp: Boolean(clientId),
  // Only X's own host publishes to real accounts, independent of the credentials.
  isReal: new URL(apiUrl).hostname === 'api.x.com',
  setup: [apiUrl, clientId, clientSecret],
  authorizeUrl,
  query: { client_id: clientId ?? '', scope: SCOPES.join(' ') },
  usesPkce: true,
  tokenUrl: `${apiUrl}/2/oauth2/token`,
  revokeUrl: `${apiUrl}/2/oauth2/revoke`,
  // A confidential client sends its secret as HTTP Basic; X refuses it in the body. A public client sends its id in the body.
  client: clientSecret
    ? { headers: { authorization: `Basic ${basic(clientId ?? '', clientSecret)}` } }
    : { fields: { client_id: clientId ?? '' } },
  // Revoking the refresh token ends the whole grant (RFC 7009, section 2.1).
  revoked: ({ accessToken, refreshToken }) => [refreshToken ?? accessToken],
  // X has about twenty scopes.
  scopes: { separator: ' ', max: 2_000 },
  required: SCOPES,
  refusesClient,
  refusesGrant,
});

/** Both parts are form-encoded first (RFC 6749, section 2.3.1). */
function basic(id: string, secret: string): string {
  return btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`);
}

/** X uses both errors that concern the client, `unauthorized_client` also for a wrong secret. */
function refusesClient(response: OutboundResponse): boolean {
  if (response.kind !== 'answered') return false;
  const { status, body } = response;
  return namesClient(memberOf(body, 'error')) || forbidsClient(readXError(status, body));
}

/** X also reports an expired refresh token as an invalid request: "Value passed for the token was invalid." */
function refusesGrant({ body }: Answered): boolean {
  const [error, description] = [memberOf(body, 'error'), memberOf(body, 'error_description')];
  if (error === 'invalid_grant') return true;
  return (
    error === 'invalid_request' && typeof description === 'string' && /token was invalid/i.test(description)
  );
}
