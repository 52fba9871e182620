import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import { isClientIn, type TokenDialect, tokenResponse } from '../kit/oauth/token-routes.js';
import { oauthError } from './tiktok-responses.js';
import type { TikTok } from './tiktok.js';

/** oauth-user-access-token-management. Revoking ends everything that the account has allowed this app. */
export const tokenDialect = (tiktok: TikTok): TokenDialect => ({
  paths: { token: '/v2/oauth/token/', revoke: '/v2/oauth/revoke/' },
  refusedClient: (call) => refusedClient(tiktok, call),
  revocation: {
    endsConsent: true,
    needsClient: true,
    unknown: ['invalid_request', 'The access token is invalid.'],
    answer: {},
  },
  refused: (refusal) => oauthProblem(tiktok, ...refusal),
  grantType: ['unsupported_grant_type', 'Grant type is not supported.'],
  code: ['invalid_grant', 'Authorization code is expired.'],
  redirectUri: ['invalid_request', 'Redirect_uri is not matched with the uri when requesting code.'],
  refreshToken: ['invalid_grant', 'Refresh token is invalid or expired.'],
  issue: ({ accountId, scopes }) => tiktok.issue({ id: accountId }, scopes),
  // Unless the setting says otherwise, the old refresh token ends.
  renew: (refreshToken) =>
    tiktok.settings.rotatesRefreshTokens
      ? tiktok.grants.rotate(refreshToken)
      : tiktok.grants.refresh(refreshToken),
  answer: ({ grant, accessToken, refreshToken }, sent) => {
    const secondsTo = (until: number): number => Math.floor((until - tiktok.now) / 1000);
    return tokenResponse({
      access_token: accessToken,
      expires_in: secondsTo(grant.accessUntil),
      open_id: grant.accountId,
      refresh_expires_in: secondsTo(grant.refreshUntil),
      refresh_token: refreshToken ?? sent ?? '',
      scope: grant.scopes.join(','),
      token_type: 'Bearer',
    });
  },
});

function refusedClient(tiktok: TikTok, { form, mediaType }: Call): SandboxResponse | undefined {
  if (mediaType !== 'application/x-www-form-urlencoded')
    return oauthProblem(tiktok, 'invalid_request', 'The request parameters are malformed.');
  return isClientIn(form, tiktok.client, 'client_key')
    ? undefined
    : oauthProblem(tiktok, 'invalid_client', 'Client key or secret is incorrect.', 401);
}

const oauthProblem = (
  { settings }: TikTok,
  error: string,
  description: string,
  status = 400,
): SandboxResponse => oauthError(settings.errorStatus === 'always-200' ? 200 : status, error, description);
