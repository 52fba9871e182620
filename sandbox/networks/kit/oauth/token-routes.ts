import type { Call } from '../../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import type { SocialNetwork } from '../network.js';
import { isSame } from '../state/digests.js';
import type { IssuedTokens } from '../state/grants.js';
import { type CodeBinding, verifies } from './authorization-codes.js';
import type { AppClient } from './authorization-request.js';

/** An error of OAuth and its description in the network's words. */
export type OAuthRefusal = readonly [error: string, description: string];

export interface TokenDialect {
  readonly paths: { readonly token: string; readonly revoke: string };
  /** undefined: the call authenticates the app. */
  refusedClient(call: Call): SandboxResponse | undefined;
  readonly revocation: {
    /** Whether every grant of the account ends, or the one of the token. */
    readonly endsConsent: boolean;
    readonly needsClient: boolean;
    /** Absent: an unknown token is answered like a known one. */
    readonly unknown?: OAuthRefusal;
    readonly answer: object;
  };
  refused(refusal: OAuthRefusal): SandboxResponse;
  /** The refusal of a call without a parameter that it needs; absent: it is refused for its value. */
  missing?(parameter: string): OAuthRefusal;
  readonly grantType: OAuthRefusal;
  readonly code: OAuthRefusal;
  readonly redirectUri: OAuthRefusal;
  readonly verifier?: OAuthRefusal;
  readonly refreshToken: OAuthRefusal;
  issue(binding: CodeBinding): IssuedTokens;
  /** undefined: the refresh token is not accepted. */
  renew(refreshToken: string): IssuedTokens | undefined;
  /** @param sent the refresh token of the call */
  answer(tokens: IssuedTokens, sent: string | null): SandboxResponse;
}

export const tokenRoutes = (network: SocialNetwork, dialect: TokenDialect): Route[] => [
  { method: 'POST', path: dialect.paths.token, handle: (call) => exchange(network, dialect, call) },
  { method: 'POST', path: dialect.paths.revoke, handle: (call) => revoke(network, dialect, call) },
];

function exchange(network: SocialNetwork, dialect: TokenDialect, call: Call): SandboxResponse {
  const { form } = call;
  const refused = dialect.refusedClient(call) ?? missingOf(dialect, form, 'grant_type');
  if (refused) return refused;
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeem(network, dialect, form);
    case 'refresh_token':
      return renew(dialect, form);
    default:
      return dialect.refused(dialect.grantType);
  }
}

function redeem({ codes }: SocialNetwork, dialect: TokenDialect, form: URLSearchParams): SandboxResponse {
  const missing = missingOf(dialect, form, 'code', 'redirect_uri', 'code_verifier');
  if (missing) return missing;
  const binding = codes.redeem(form.get('code') ?? '');
  if (!binding) return dialect.refused(dialect.code);
  if (binding.redirectUri !== form.get('redirect_uri')) return dialect.refused(dialect.redirectUri);
  if (dialect.verifier && !verifies(form.get('code_verifier') ?? '', binding))
    return dialect.refused(dialect.verifier);
  return dialect.answer(dialect.issue(binding), null);
}

function renew(dialect: TokenDialect, form: URLSearchParams): SandboxResponse {
  const missing = missingOf(dialect, form, 'refresh_token');
  if (missing) return missing;
  const token = form.get('refresh_token') ?? '';
  const tokens = dialect.renew(token);
  return tokens ? dialect.answer(tokens, token) : dialect.refused(dialect.refreshToken);
}

function revoke({ grants }: SocialNetwork, dialect: TokenDialect, call: Call): SandboxResponse {
  const { endsConsent, needsClient, unknown, answer } = dialect.revocation;
  const refused =
    (needsClient ? dialect.refusedClient(call) : undefined) ?? missingOf(dialect, call.form, 'token');
  if (refused) return refused;
  const grant = grants.owning(call.form.get('token') ?? call.query.get('token') ?? '');
  if (!grant && unknown) return dialect.refused(unknown);
  for (const each of grant && endsConsent ? grants.of(grant.accountId) : [grant])
    if (each) grants.revoke(each);
  return json(200, answer);
}

function missingOf(
  dialect: TokenDialect,
  form: URLSearchParams,
  ...names: string[]
): SandboxResponse | undefined {
  const missing = names.find((name) => !form.get(name));
  return missing === undefined || !dialect.missing ? undefined : dialect.refused(dialect.missing(missing));
}

/** Whether the fields of a form are the credentials of the app. @param idField the network's name of the client's id */
export const isClientIn = (
  form: URLSearchParams,
  { id, secret }: AppClient,
  idField: 'client_id' | 'client_key' = 'client_id',
): boolean => form.get(idField) === id && isSame(form.get('client_secret') ?? '', secret ?? '');

/** Tokens must not be cached (RFC 6749, section 5.1). */
export const tokenResponse = (body: unknown): SandboxResponse =>
  withHeaders(json(200, body), { 'cache-control': 'no-store' });

export const oauthError = (status: number, error: string, description: string): SandboxResponse =>
  json(status, { error, error_description: description });
