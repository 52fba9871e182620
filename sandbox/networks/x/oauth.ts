import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { AppClient, Consent } from '../kit/oauth/authorization-request.js';
import {
  oauthError,
  type OAuthRefusal,
  type TokenDialect,
  tokenResponse,
} from '../kit/oauth/token-routes.js';
import { isSame } from '../kit/state/digests.js';
import { LIFETIMES, type X } from './x.js';

export const CONSENT: Consent = {
  path: '/i/oauth2/authorize',
  clientParameter: 'client_id',
  scopeSeparator: ' ',
  pkce: 'required',
  maxState: 500,
  extras: [],
};

const invalid = (description: string): OAuthRefusal => ['invalid_request', description];
const refused = (refusal: OAuthRefusal): SandboxResponse => oauthError(400, ...refusal);

/** Revoking ends the grant of the token; RFC 7009 answers unknown tokens the same way. */
export const tokenDialect = (x: X): TokenDialect => ({
  paths: { token: '/2/oauth2/token', revoke: '/2/oauth2/revoke' },
  refusedClient: (call) => refusedClient(x.client, call),
  revocation: { endsConsent: false, needsClient: true, answer: { revoked: true } },
  refused,
  missing: (parameter) => invalid(`Missing required parameter [${parameter}].`),
  grantType: ['unsupported_grant_type', 'Value passed for the grant type was invalid.'],
  code: invalid('Value passed for the authorization code was invalid.'),
  redirectUri: invalid('Value passed for the redirect uri did not match the uri of the authorization code.'),
  verifier: invalid('Value passed for the code verifier did not match the code challenge.'),
  // The same error for an unknown, expired, revoked or used refresh token.
  refreshToken: invalid('Value passed for the token was invalid.'),
  issue: ({ accountId, scopes }) => x.issue({ id: accountId }, scopes),
  renew: (refreshToken) => x.grants.rotate(refreshToken),
  answer: ({ grant, accessToken, refreshToken }) =>
    tokenResponse({
      token_type: 'bearer',
      expires_in: LIFETIMES.access,
      access_token: accessToken,
      scope: grant.scopes.join(' '),
      ...(refreshToken !== null && { refresh_token: refreshToken }),
    }),
});

/** A confidential client shows its secret as HTTP Basic, not in the body; a public one names its id in the body. */
function refusedClient(client: AppClient, call: Call): SandboxResponse | undefined {
  const [id, secret] = basicCredentials(call.headers.authorization);
  const named = id ?? call.form.get('client_id');
  if (named !== null && named !== undefined && named !== client.id)
    return oauthError(401, 'invalid_client', 'Value passed for the client id was invalid.');
  const isOurs =
    client.secret === null
      ? named === client.id && secret === undefined
      : secret !== undefined && isSame(secret, client.secret);
  if (!isOurs) return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  if (call.mediaType === 'application/x-www-form-urlencoded') return undefined;
  return refused(
    invalid('Requests with bodies must have content-type of application/x-www-form-urlencoded.'),
  );
}

/** RFC 6749 section 2.3.1: both halves are form-encoded before they are joined. */
function basicCredentials(header: string | undefined): [id?: string, secret?: string] {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return [];
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return rest.length === 0 ? [] : [formDecoded(id), formDecoded(rest.join(':'))];
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
