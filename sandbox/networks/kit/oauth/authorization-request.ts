import type { SandboxAccount } from '../state/accounts.js';

export interface AppClient {
  readonly id: string;
  /** null: a public client, which has none. */
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
}

/** What differs between the authorization requests of networks. */
export interface AuthorizationDialect {
  readonly clientParameter: 'client_id' | 'client_key';
  readonly scopeSeparator: ' ' | ',';
  readonly pkce: 'required' | 'optional' | 'none';
  /** Characters of the longest state. */
  readonly maxState: number;
  /** Further parameters that the network has; the grant's code keeps them. */
  readonly extras: readonly string[];
  /** With which a wrong scope is sent back to the app. Absent: the person sees it on a page, as all other errors. */
  readonly refusedScope?: (scope: string) => Readonly<Record<string, string>>;
}

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** null: without PKCE. */
  readonly challenge: string | null;
  readonly challengeMethod: 'S256' | 'plain';
  readonly extras: Readonly<Record<string, string>>;
}

/** Why a request is refused: one sentence for a page, or the address to which the browser is sent. */
export class AuthorizationIsRefused {
  constructor(
    readonly reason: string,
    readonly location?: string,
  ) {}
}

/** RFC 7636: 43 to 128 unreserved characters. */
const CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/;

interface Network {
  readonly client: AppClient;
  readonly rules: { readonly scopes: Readonly<Record<string, string>> };
}
type Parsed = AuthorizationRequest | AuthorizationIsRefused;

export function parseAuthorizationRequest(
  parameters: URLSearchParams,
  { client, rules }: Network,
  dialect: AuthorizationDialect,
): Parsed {
  const get = (name: string): string => parameters.get(name) ?? '';
  const redirectUri = get('redirect_uri');
  if (get('response_type') !== 'code') return refused('response_type must be code.');
  if (get(dialect.clientParameter) !== client.id)
    return refused(`${dialect.clientParameter} is not the id of a registered app.`);
  if (!client.redirectUris.includes(redirectUri))
    return refused('redirect_uri is not exactly one of the callback addresses registered for this app.');
  if (get('state') === '' || get('state').length > dialect.maxState)
    return refused(`state must have 1 to ${dialect.maxState} characters.`);
  const scopes = get('scope').split(dialect.scopeSeparator).filter(Boolean);
  const wrongScope = refusedScope(scopes, rules.scopes, dialect, redirectUri, get('state'));
  if (wrongScope) return wrongScope;
  const pkce = pkceOf(get, dialect);
  if (typeof pkce === 'string') return refused(pkce);
  const extras = dialect.extras.filter((name) => parameters.has(name)).map((name) => [name, get(name)]);
  return {
    clientId: client.id,
    redirectUri,
    scopes: [...new Set(scopes)],
    state: get('state'),
    ...pkce,
    extras: Object.fromEntries(extras) as Record<string, string>,
  };
}

function refusedScope(
  scopes: readonly string[],
  known: Readonly<Record<string, string>>,
  dialect: AuthorizationDialect,
  redirectUri: string,
  state: string,
): AuthorizationIsRefused | undefined {
  if (scopes.length === 0) return refused('scope must name at least one scope.');
  const unknown = scopes.find((scope) => !Object.hasOwn(known, scope));
  if (unknown === undefined) return undefined;
  const reason = `scope names ${unknown.slice(0, 40)}, which does not exist.`;
  const sentBack = dialect.refusedScope?.(unknown);
  return new AuthorizationIsRefused(reason, sentBack && returnTo(redirectUri, { ...sentBack, state }));
}

type Pkce = Pick<AuthorizationRequest, 'challenge' | 'challengeMethod'>;

function pkceOf(get: (name: string) => string, { pkce }: AuthorizationDialect): Pkce | string {
  if (pkce === 'none' || (pkce === 'optional' && get('code_challenge') === ''))
    return { challenge: null, challengeMethod: 'plain' };
  const method = get('code_challenge_method') || 'plain';
  if (method !== 'S256' && method !== 'plain') return 'code_challenge_method must be S256 or plain.';
  if (!CHALLENGE.test(get('code_challenge')))
    return 'code_challenge must have 43 to 128 unreserved characters.';
  return { challenge: get('code_challenge'), challengeMethod: method };
}

/** The request as parameters again, for the form of the consent page. */
export function parametersOf(
  request: AuthorizationRequest,
  { clientParameter, scopeSeparator }: AuthorizationDialect,
): Record<string, string> {
  return {
    ...request.extras,
    response_type: 'code',
    [clientParameter]: request.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(scopeSeparator),
    state: request.state,
    ...(request.challenge !== null && {
      code_challenge: request.challenge,
      code_challenge_method: request.challengeMethod,
    }),
  };
}

export function returnTo(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.toString();
}

const refused = (reason: string): AuthorizationIsRefused => new AuthorizationIsRefused(reason);

export interface Consent<A extends SandboxAccount = SandboxAccount> extends AuthorizationDialect {
  /** Path on the network's web host. */
  readonly path: string;
  /** Added to the code in the redirect, not part of it. Default none. */
  readonly codeSuffix?: string;
  /** Parameters of the redirect when the person denies. Default `error=access_denied`. */
  readonly denied?: Readonly<Record<string, string>>;
  /** Accounts of persons, where the network has others too. Default all. */
  readonly isSelectable?: (account: A) => boolean;
}
