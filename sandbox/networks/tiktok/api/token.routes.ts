import type { Call } from '../../../wire/call.js';
import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import { isClientIn, tokenResponse } from '../../kit/oauth/token-endpoint.js';
import type { IssuedTokens } from '../../kit/state/grants.js';
import { oauthError } from '../state/tiktok-responses.js';
import type { TikTok } from '../state/tiktok.js';

/** oauth-user-access-token-management. */
export const tokenRoutes = (tiktok: TikTok): Route[] => [
  { method: 'POST', path: '/v2/oauth/token/', handle: (call) => exchangeToken(tiktok, call) },
  { method: 'POST', path: '/v2/oauth/revoke/', handle: (call) => revokeToken(tiktok, call) },
];

export const issueTokens = (tiktok: TikTok, accountId: string, scopes: readonly string[]): IssuedTokens =>
  tiktok.grants.issue({ accountId, scopes, refreshable: true });

function exchangeToken(tiktok: TikTok, call: Call): SandboxResponse {
  const refused = refusedClient(tiktok, call);
  if (refused) return refused;
  switch (call.form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(tiktok, call.form);
    case 'refresh_token':
      return refresh(tiktok, call.form.get('refresh_token') ?? '');
    default:
      return oauthProblem(tiktok, 'unsupported_grant_type', 'Grant type is not supported.');
  }
}

function redeemCode(tiktok: TikTok, form: URLSearchParams): SandboxResponse {
  const binding = tiktok.codes.redeem(form.get('code') ?? '');
  if (!binding) return oauthProblem(tiktok, 'invalid_grant', 'Authorization code is expired.');
  if (binding.redirectUri !== form.get('redirect_uri'))
    return oauthProblem(
      tiktok,
      'invalid_request',
      'Redirect_uri is not matched with the uri when requesting code.',
    );
  const tokens = issueTokens(tiktok, binding.accountId, binding.scopes);
  return issued(tiktok, tokens, tokens.refreshToken ?? '');
}

/** Unless the setting says otherwise, the old refresh token ends. */
function refresh(tiktok: TikTok, refreshToken: string): SandboxResponse {
  const { grants, settings } = tiktok;
  const tokens = settings.rotatesRefreshTokens ? grants.rotate(refreshToken) : grants.refresh(refreshToken);
  if (!tokens) return oauthProblem(tiktok, 'invalid_grant', 'Refresh token is invalid or expired.');
  return issued(tiktok, tokens, tokens.refreshToken ?? refreshToken);
}

/** Ends everything that the account has allowed this app. */
function revokeToken(tiktok: TikTok, call: Call): SandboxResponse {
  const refused = refusedClient(tiktok, call);
  if (refused) return refused;
  const grant = tiktok.grants.owning(call.form.get('token') ?? '');
  if (!grant) return oauthProblem(tiktok, 'invalid_request', 'The access token is invalid.');
  for (const each of tiktok.grants.of(grant.accountId)) tiktok.grants.revoke(each);
  return json(200, {});
}

function refusedClient(tiktok: TikTok, call: Call): SandboxResponse | undefined {
  const { form, mediaType } = call;
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

function issued(tiktok: TikTok, { grant, accessToken }: IssuedTokens, refreshToken: string): SandboxResponse {
  const now = tiktok.clock.now().getTime();
  const secondsTo = (until: number): number => Math.floor((until - now) / 1000);
  return tokenResponse({
    access_token: accessToken,
    expires_in: secondsTo(grant.accessUntil),
    open_id: grant.accountId,
    refresh_expires_in: secondsTo(grant.refreshUntil),
    refresh_token: refreshToken,
    scope: grant.scopes.join(','),
    token_type: 'Bearer',
  });
}
