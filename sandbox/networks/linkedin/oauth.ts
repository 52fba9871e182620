import { json, withHeaders } from '../../wire/response.js';
import type { Consent } from '../kit/oauth/authorization-request.js';
import { isClientIn, oauthError, type TokenDialect } from '../kit/oauth/token-routes.js';
import type { LinkedInAccount } from './linkedin-records.js';
import { LIFETIMES, type LinkedIn } from './linkedin.js';

export const CONSENT: Consent<LinkedInAccount> = {
  path: '/oauth/v2/authorization',
  clientParameter: 'client_id',
  scopeSeparator: ' ',
  pkce: 'none',
  maxState: 500,
  extras: [],
  denied: {
    error: 'user_cancelled_authorize',
    error_description: 'The user cancelled the authorization',
  },
  isSelectable: ({ kind }) => kind === 'member',
};

const NO_MATCH =
  'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.';

export const tokenDialect = (linkedin: LinkedIn): TokenDialect => ({
  paths: { token: '/oauth/v2/accessToken', revoke: '/oauth/v2/revoke' },
  refusedClient: ({ form }) =>
    isClientIn(form, linkedin.client)
      ? undefined
      : oauthError(401, 'invalid_client', 'Client authentication failed'),
  revocation: { endsConsent: false, needsClient: true, answer: {} },
  refused: (refusal) => oauthError(400, ...refusal),
  grantType: ['invalid_request', 'A required parameter "grant_type" is missing or invalid'],
  code: ['invalid_request', NO_MATCH],
  redirectUri: ['invalid_request', NO_MATCH],
  refreshToken: [
    'invalid_request',
    'The provided authorization grant or refresh token is invalid, expired or revoked.',
  ],
  issue: ({ accountId, scopes }) => linkedin.issue({ id: accountId }, scopes),
  // The refresh token stays, and its end does not move.
  renew: (refreshToken) => linkedin.grants.refresh(refreshToken),
  answer: ({ grant, accessToken, refreshToken }, sent) => {
    const [token, seconds] = [refreshToken ?? sent, Math.floor((grant.refreshUntil - linkedin.now) / 1000)];
    const body = {
      access_token: accessToken,
      expires_in: LIFETIMES.access,
      ...(token !== null && { refresh_token: token, refresh_token_expires_in: seconds }),
      // Separated by commas, whatever was asked for.
      scope: grant.scopes.join(','),
      token_type: 'Bearer',
    };
    return withHeaders(json(200, body), { 'cache-control': 'no-cache, no-store' });
  },
});
