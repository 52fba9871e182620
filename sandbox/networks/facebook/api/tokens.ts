import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { graphProblem, tokenProblem } from '../../graph/graph-problems.js';
import { isSame } from '../../kit/state/digests.js';
import { type Facebook, LONG_SECONDS } from '../state/facebook.js';

/** GET or POST /oauth/access_token: a code becomes a short token, and a short token a long one. */
export function accessToken(facebook: Facebook, call: Call): SandboxResponse {
  const field = (name: string): string => call.form.get(name) ?? call.query.get(name) ?? '';
  const { id, secret } = facebook.client;
  if (field('client_id') !== id)
    return problem(101, 'Error validating application. Cannot get application info due to a system error.');
  if (!isSame(field('client_secret'), secret ?? '')) return problem(1, 'Error validating client secret.');
  if (field('grant_type') === 'fb_exchange_token') return exchange(facebook, field('fb_exchange_token'));
  return redeem(facebook, field('code'), field('redirect_uri'));
}

function redeem(facebook: Facebook, code: string, redirectUri: string): SandboxResponse {
  const binding = facebook.codes.redeem(code);
  if (!binding) return problem(100, 'This authorization code has been used or is invalid.', 36_009);
  if (binding.redirectUri !== redirectUri)
    return problem(
      100,
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      36_008,
    );
  const scopes = binding.scopes.filter((scope) => !facebook.settings.declinedScopes.includes(scope));
  const { accessToken: token } = facebook.personToken(binding.accountId, scopes, 'short');
  return json(200, { access_token: token, token_type: 'bearer', expires_in: 5_183 });
}

function exchange(facebook: Facebook, token: string): SandboxResponse {
  const grant = facebook.grants.byAccessToken(token);
  if (!grant) return graphProblem(tokenProblem(facebook.grants.endOf(token) ?? 'unknown'));
  const long = facebook.personToken(grant.accountId, grant.scopes, 'long');
  return json(200, { access_token: long.accessToken, token_type: 'bearer', expires_in: LONG_SECONDS });
}

const problem = (code: number, message: string, subcode?: number): SandboxResponse =>
  graphProblem({ code, message, ...(subcode !== undefined && { subcode }) });
