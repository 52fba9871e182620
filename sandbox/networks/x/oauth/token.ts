import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { verifies } from '../../kit/oauth/authorization-codes.js';
import { tokenResponse } from '../../kit/oauth/token-endpoint.js';
import type { IssuedTokens } from '../../kit/state/grants.js';
import { oauthError } from '../state/problems.js';
import type { X } from '../state/x.js';
import { ACCESS_TOKEN_SECONDS, issueTokens } from '../state/x-grants.js';
import { refusedClient } from './client-authentication.js';

/** POST /2/oauth2/token */
export function exchangeToken(x: X, call: Call): SandboxResponse {
  const { form } = call;
  const refused = refusedClient(x.client, call);
  if (refused) return refused;
  if (call.mediaType !== 'application/x-www-form-urlencoded') {
    return invalid('Requests with bodies must have content-type of application/x-www-form-urlencoded.');
  }
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(x, form);
    case 'refresh_token':
      return rotate(x, form);
    case null:
      return missing('grant_type');
    default:
      return oauthError(400, 'unsupported_grant_type', 'Value passed for the grant type was invalid.');
  }
}

function redeemCode(x: X, form: URLSearchParams): SandboxResponse {
  const [code, redirectUri, verifier] = ['code', 'redirect_uri', 'code_verifier'].map(
    (name) => form.get(name) ?? '',
  );
  if (!code) return missing('code');
  if (!redirectUri) return missing('redirect_uri');
  if (!verifier) return missing('code_verifier');
  const binding = x.codes.redeem(code);
  if (!binding) return invalid('Value passed for the authorization code was invalid.');
  if (binding.redirectUri !== redirectUri) {
    return invalid('Value passed for the redirect uri did not match the uri of the authorization code.');
  }
  if (!verifies(verifier, binding)) {
    return invalid('Value passed for the code verifier did not match the code challenge.');
  }
  return issued(issueTokens(x.grants, binding.accountId, binding.scopes));
}

/** The same error for an unknown, expired, revoked or used refresh token. */
function rotate(x: X, form: URLSearchParams): SandboxResponse {
  const refreshToken = form.get('refresh_token');
  if (!refreshToken) return missing('refresh_token');
  const tokens = x.grants.rotate(refreshToken);
  return tokens ? issued(tokens) : invalid('Value passed for the token was invalid.');
}

/** POST /2/oauth2/revoke. Ends the whole consent; RFC 7009 answers unknown tokens the same way. */
export function revokeToken(x: X, call: Call): SandboxResponse {
  const refused = refusedClient(x.client, call);
  if (refused) return refused;
  const token = call.form.get('token');
  if (!token) return missing('token');
  const grant = x.grants.owning(token);
  if (grant) x.grants.revoke(grant);
  return json(200, { revoked: true });
}

/** Without `offline.access` there is no refresh token. */
function issued({ grant, accessToken, refreshToken }: IssuedTokens): SandboxResponse {
  return tokenResponse({
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    access_token: accessToken,
    scope: grant.scopes.join(' '),
    ...(refreshToken !== null && { refresh_token: refreshToken }),
  });
}

const invalid = (description: string): SandboxResponse => oauthError(400, 'invalid_request', description);

const missing = (parameter: string): SandboxResponse => invalid(`Missing required parameter [${parameter}].`);
