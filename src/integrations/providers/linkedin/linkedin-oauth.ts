import type { OutboundResponse } from '#libs/outbound-http';
import type { OAuthDialect } from '../oauth-provider.js';
import { type Answered, isFinal, namesClient } from '../token-endpoint.js';
import { expiryIn, memberOf } from '../values.js';
import type { Variant } from './linkedin-variants.js';
import type { LinkedInConfig } from './linkedin.config.js';

/**
 * OAuth 2.0 of confidential web apps, without PKCE: learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow and
 * …/programmatic-refresh-tokens, read 2026-11-23. Only approved partners get refresh tokens. These stay the same when they are used,
 * and end a year after the sign-in. The revoke route is known from clients, not from a page of LinkedIn.
 */
export function linkedInOAuth(variant: Variant, config: LinkedInConfig): OAuthDialect {
  const { apiUrl, oauthUrl, authorizeUrl, version } = config;
  const { clientId, clientSecret } = config.credentialsOf(variant);
  return {
    platform: variant.platform,
    displayName: variant.displayName,
    issuer: 'LinkedIn',
    isSetUp: Boolean(clientId && clientSecret),
    // Only LinkedIn's own host publishes to real accounts, independent of the credentials.
    isReal: new URL(apiUrl).hostname === 'api.linkedin.com',
    setup: [apiUrl, version, clientId, clientSecret],
    authorizeUrl,
    query: { client_id: clientId ?? '', scope: variant.scopes.join(' ') },
    tokenUrl: `${oauthUrl}/accessToken`,
    revokeUrl: `${oauthUrl}/revoke`,
    client: { fields: { client_id: clientId ?? '', client_secret: clientSecret ?? '' } },
    revoked: ({ accessToken, refreshToken }) => [refreshToken, accessToken],
    // Separated by spaces in the documentation, by commas in responses.
    scopes: { separator: /[\s,]+/, max: 2_000 },
    required: variant.required,
    completed: (grant, body, now) => ({
      ...grant,
      refreshExpiresAt: expiryIn(memberOf(body, 'refresh_token_expires_in'), now),
    }),
    refusesClient,
    refusesCode: (response) => isFinal(response) && response.status >= 400,
    refusesGrant,
  };
}

/** LinkedIn uses `invalid_client` for a wrong secret too. */
const refusesClient = (response: OutboundResponse): boolean =>
  response.kind === 'answered' && namesClient(memberOf(response.body, 'error'));

/** An ended refresh token is also reported as an invalid request: "The provided authorization grant or refresh token is invalid …". */
function refusesGrant({ status, body }: Answered): boolean {
  if (status < 400) return false;
  const [error, description] = [memberOf(body, 'error'), memberOf(body, 'error_description')];
  if (error === 'invalid_grant') return true;
  return (
    error === 'invalid_request' &&
    typeof description === 'string' &&
    /(grant|refresh token|token) .*(invalid|expired|revoked)/i.test(description)
  );
}
