import type { Clock } from '#libs/clock';
import type { OutboundHttp, OutboundResponse } from '#libs/outbound-http';
import type {
  AuthorizationRequest,
  CodeExchange,
  Grant,
  RenewableGrant,
  RenewalResult,
} from '../../domain/provider-grants.js';
import { type GraphError, networkCodeOf, readGraphError } from '../graph/graph-errors.js';
import { isTokenRefused, refusesApplication, graphSignInRefusal } from '../graph/graph-refusals.js';
import { type Answered, formPost, mayPublish } from '../token-endpoint.js';
import { bodyIn, expiryIn, listIn, memberOf, wordsIn } from '../values.js';

export interface TokenSettings {
  readonly displayName: string;
  readonly authorizeUrl: string;
  /** Takes the code. */
  readonly tokenUrl: string;
  /** Without a version. */
  readonly graphUrl: string;
  /** Names of grant types begin with it. */
  readonly prefix: 'ig' | 'th';
  readonly scopes: readonly string[];
  /** Further parameters of the consent page, such as one with which the network asks for the account each time. */
  readonly consent?: Readonly<Record<string, string>>;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** UTF-16 units of all permissions of a grant. */
const MAX_SCOPE = 2_000;
const DAY_MS = 86_400_000;
/** Both networks issue long-lived tokens for 60 days; used only to tell how old one is. */
const LIFE_MS = 60 * DAY_MS;
/** Not part of the code; browsers drop it, other clients may not. */
const FRAGMENT = /#_?$/;

/**
 * Tokens of Instagram and Threads: a code becomes a token of an hour, that one a token of 60 days, which is exchanged for a newer one
 * while it is valid and at least 24 hours old. There are no refresh tokens, and no call ends a token.
 */
export class LongLivedTokens {
  constructor(
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
    private readonly settings: TokenSettings,
  ) {}

  /** Neither network documents PKCE. */
  authorizationUrl({ state, redirectUri }: AuthorizationRequest): string {
    const url = new URL(this.settings.authorizeUrl);
    url.search = new URLSearchParams({
      client_id: this.settings.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: this.settings.scopes.join(','),
      state,
      ...this.settings.consent,
    }).toString();
    return url.toString();
  }

  async exchange({ code, redirectUri }: CodeExchange): Promise<Grant> {
    const { tokenUrl, clientId, clientSecret } = this.settings;
    const short = await this.http.send(
      formPost(tokenUrl, {
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code: code.replace(FRAGMENT, ''),
      }),
    );
    const first = tokenIn(short);
    if (first === null) throw this.refusedBy(short);
    const long = await this.longLived(first.token);
    const { displayName, scopes } = this.settings;
    return mayPublish(displayName, scopes, { ...long, scopes: first.scopes });
  }

  /** A token that is too young is not sent: this is asked only after the network refused it, so it has ended. */
  async renew({ accessToken, expiresAt }: RenewableGrant): Promise<RenewalResult> {
    const now = this.clock.now().getTime();
    if (expiresAt !== null && Date.parse(expiresAt) - now > LIFE_MS - DAY_MS) return { kind: 'dead' };
    const { prefix, graphUrl } = this.settings;
    const response = await this.get(`${graphUrl}/refresh_access_token`, {
      grant_type: `${prefix}_refresh_token`,
      access_token: accessToken,
    });
    const renewed = this.grantIn(response);
    if (renewed) return { kind: 'granted', grant: renewed };
    return response.kind === 'answered' ? refusedRenewal(response) : { kind: 'unavailable' };
  }

  private async longLived(token: string): Promise<Grant> {
    const { prefix, graphUrl, clientSecret } = this.settings;
    const response = await this.get(`${graphUrl}/access_token`, {
      grant_type: `${prefix}_exchange_token`,
      client_secret: clientSecret,
      access_token: token,
    });
    const grant = this.grantIn(response);
    if (grant === null) throw this.refusedBy(response);
    return grant;
  }

  /** Both networks document these calls with secrets in the address only. */
  private get(url: string, query: Readonly<Record<string, string>>): Promise<OutboundResponse> {
    return this.http.send({ method: 'GET', url: `${url}?${new URLSearchParams(query).toString()}` });
  }

  private grantIn(response: OutboundResponse): Grant | null {
    const found = tokenIn(response);
    if (found === null || response.kind !== 'answered') return null;
    const expiresAt = expiryIn(firstOf(response.body, 'expires_in'), this.clock.now());
    return { accessToken: found.token, refreshToken: null, expiresAt, scopes: found.scopes };
  }

  private refusedBy(response: OutboundResponse): Error {
    return graphSignInRefusal(this.settings.displayName, response, refusesClient);
  }
}

/** Neither call needs the credentials of this service, but the network may refuse its app. */
function refusedRenewal({ status, body }: Answered): RenewalResult {
  const error = readGraphError(status, body);
  if (isTokenRefused(error)) return { kind: 'dead', networkCode: networkCodeOf(error) };
  const isRefusal = error.code !== null && status >= 400 && status < 500;
  return {
    kind:
      isRefusal && (refusesApplication(error) || refusesClient(error, body))
        ? 'misconfigured'
        : 'unavailable',
  };
}

/** The guide shows the fields of a token in a list, clients see them flat. */
function tokenIn(response: OutboundResponse): { token: string; scopes: string[] } | null {
  const body = bodyIn(response);
  const token = firstOf(body, 'access_token');
  if (typeof token !== 'string' || token === '') return null;
  return { token, scopes: scopesIn(firstOf(body, 'permissions')) };
}

/** The member of an answer, or of the first element of its list. */
function firstOf(body: unknown, name: string): unknown {
  return memberOf(body, name) ?? memberOf(listIn(memberOf(body, 'data'))[0], name);
}

/** A text with commas, or a list. */
function scopesIn(permissions: unknown): string[] {
  const all = Array.isArray(permissions) ? permissions.join(',') : permissions;
  return (wordsIn(all, MAX_SCOPE) ?? '').split(/[ ,]+/).filter(Boolean);
}

/** `Invalid platform app`, `Error validating client secret.`, `Error validating application.` */
function refusesClient(error: GraphError, body: unknown): boolean {
  if (refusesApplication(error)) return true;
  const own = memberOf(body, 'error_message');
  return /client secret|platform app|validating application|client_id/i.test(
    `${error.words} ${typeof own === 'string' ? own.slice(0, 500) : ''}`,
  );
}
