import type { Call } from '../../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../../wire/response.js';
import { isClientIn } from '../../kit/oauth/token-endpoint.js';
import type { Grant } from '../../kit/state/grants.js';
import { LIFETIMES, type LinkedIn } from '../state/linkedin.js';
import { oauthError } from '../state/problems.js';

/** POST /oauth/v2/accessToken */
export function exchangeToken(linkedin: LinkedIn, call: Call): SandboxResponse {
  const { form } = call;
  const refused = refusedClient(linkedin, form);
  if (refused) return refused;
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(linkedin, form);
    case 'refresh_token':
      return refresh(linkedin, form);
    default:
      return oauthError(400, 'invalid_request', 'A required parameter "grant_type" is missing or invalid');
  }
}

/** POST /oauth/v2/revoke. Ends the grant of the token; an unknown token is answered the same way. */
export function revokeToken(linkedin: LinkedIn, call: Call): SandboxResponse {
  const refused = refusedClient(linkedin, call.form);
  if (refused) return refused;
  const grant = linkedin.grants.owning(call.form.get('token') ?? '');
  if (grant) linkedin.grants.revoke(grant);
  return json(200, {});
}

function refusedClient({ client }: LinkedIn, form: URLSearchParams): SandboxResponse | undefined {
  return isClientIn(form, client)
    ? undefined
    : oauthError(401, 'invalid_client', 'Client authentication failed');
}

function redeemCode(linkedin: LinkedIn, form: URLSearchParams): SandboxResponse {
  const binding = linkedin.codes.redeem(form.get('code') ?? '');
  if (!binding || binding.redirectUri !== form.get('redirect_uri'))
    return oauthError(
      400,
      'invalid_request',
      'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.',
    );
  const { grant, accessToken, refreshToken } = linkedin.issue(binding.accountId, binding.scopes);
  return issued(linkedin, grant, accessToken, refreshToken);
}

/** The refresh token stays, and its end does not move. */
function refresh(linkedin: LinkedIn, form: URLSearchParams): SandboxResponse {
  const token = form.get('refresh_token') ?? '';
  const tokens = linkedin.grants.refresh(token);
  if (tokens) return issued(linkedin, tokens.grant, tokens.accessToken, token);
  return oauthError(
    400,
    'invalid_request',
    'The provided authorization grant or refresh token is invalid, expired or revoked.',
  );
}

/** Scopes are separated by commas here, whatever was asked for. */
function issued(
  { clock }: LinkedIn,
  { scopes, refreshUntil }: Grant,
  accessToken: string,
  refreshToken: string | null,
): SandboxResponse {
  const refreshSeconds = Math.floor((refreshUntil - clock.now().getTime()) / 1000);
  const body = {
    access_token: accessToken,
    expires_in: LIFETIMES.access,
    ...(refreshToken !== null && { refresh_token: refreshToken, refresh_token_expires_in: refreshSeconds }),
    scope: scopes.join(','),
    token_type: 'Bearer',
  };
  return withHeaders(json(200, body), { 'cache-control': 'no-cache, no-store' });
}
