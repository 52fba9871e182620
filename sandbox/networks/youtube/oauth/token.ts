import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { verifies } from '../../kit/oauth/authorization-codes.js';
import { isClientIn, tokenResponse } from '../../kit/oauth/token-endpoint.js';
import type { IssuedTokens } from '../../kit/state/grants.js';
import { ACCESS_TOKEN_SECONDS, type Youtube } from '../state/youtube.js';

/** POST /token (developers.google.com/identity/protocols/oauth2/web-server). */
export function exchangeToken(youtube: Youtube, call: Call): SandboxResponse {
  const { form } = call;
  if (!isClientIn(form, youtube.client))
    return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(youtube, form);
    case 'refresh_token':
      return refresh(youtube, form.get('refresh_token') ?? '');
    default:
      return oauthError(400, 'unsupported_grant_type', 'Invalid grant_type.');
  }
}

/** A refresh token needs `access_type=offline`, and a consent: the page asks for one each time. */
function redeemCode(youtube: Youtube, form: URLSearchParams): SandboxResponse {
  const binding = youtube.codes.redeem(form.get('code') ?? '');
  if (!binding) return oauthError(400, 'invalid_grant', 'Malformed auth code.');
  if (binding.redirectUri !== form.get('redirect_uri'))
    return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  if (!verifies(form.get('code_verifier') ?? '', binding))
    return oauthError(400, 'invalid_grant', 'Invalid code verifier.');
  const { accountId, scopes, extras } = binding;
  const refreshable = extras.access_type === 'offline';
  return issued(youtube.grants.issue({ accountId, scopes, refreshable }));
}

/** The answer has no refresh token: the one that was sent stays valid. */
function refresh(youtube: Youtube, refreshToken: string): SandboxResponse {
  const tokens = youtube.grants.refresh(refreshToken);
  if (tokens) return issued(tokens);
  return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
}

/** POST /revoke. Ends everything that the account gave to the app. */
export function revokeToken(youtube: Youtube, call: Call): SandboxResponse {
  const token = call.form.get('token') ?? call.query.get('token') ?? '';
  const grant = youtube.grants.owning(token);
  if (!grant) return oauthError(400, 'invalid_token', 'Token expired or revoked');
  for (const each of youtube.grants.of(grant.accountId)) youtube.grants.revoke(each);
  return json(200, {});
}

function issued({ grant, accessToken, refreshToken }: IssuedTokens): SandboxResponse {
  return tokenResponse({
    access_token: accessToken,
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: grant.scopes.join(' '),
    token_type: 'Bearer',
    ...(refreshToken !== null && { refresh_token: refreshToken }),
  });
}

const oauthError = (status: number, error: string, description: string): SandboxResponse =>
  json(status, { error, error_description: description });
