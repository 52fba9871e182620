import type { Consent } from '../kit/oauth/authorization-request.js';
import { isClientIn, oauthError, type TokenDialect, tokenResponse } from '../kit/oauth/token-routes.js';
import { LIFETIMES, type Youtube } from './youtube.js';

export const CONSENT: Consent = {
  path: '/o/oauth2/v2/auth',
  clientParameter: 'client_id',
  scopeSeparator: ' ',
  pkce: 'optional',
  maxState: 2_000,
  extras: ['access_type', 'prompt', 'include_granted_scopes'],
};

/** developers.google.com/identity/protocols/oauth2/web-server. Revoking ends everything that the account gave to the app. */
export const tokenDialect = (youtube: Youtube): TokenDialect => ({
  paths: { token: '/token', revoke: '/revoke' },
  refusedClient: ({ form }) =>
    isClientIn(form, youtube.client)
      ? undefined
      : oauthError(401, 'invalid_client', 'The OAuth client was not found.'),
  revocation: {
    endsConsent: true,
    needsClient: false,
    unknown: ['invalid_token', 'Token expired or revoked'],
    answer: {},
  },
  refused: (refusal) => oauthError(400, ...refusal),
  grantType: ['unsupported_grant_type', 'Invalid grant_type.'],
  code: ['invalid_grant', 'Malformed auth code.'],
  redirectUri: ['redirect_uri_mismatch', 'Bad Request'],
  verifier: ['invalid_grant', 'Invalid code verifier.'],
  refreshToken: ['invalid_grant', 'Token has been expired or revoked.'],
  // A refresh token needs `access_type=offline`, and a consent: the page asks for one each time.
  issue: ({ accountId, scopes, extras }) =>
    youtube.grants.issue({ accountId, scopes, refreshable: extras.access_type === 'offline' }),
  // The answer has no refresh token: the one that was sent stays valid.
  renew: (refreshToken) => youtube.grants.refresh(refreshToken),
  answer: ({ grant, accessToken, refreshToken }) =>
    tokenResponse({
      access_token: accessToken,
      expires_in: LIFETIMES.access,
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
      ...(refreshToken !== null && { refresh_token: refreshToken }),
    }),
});
