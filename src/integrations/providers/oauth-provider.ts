import type { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import type { OutboundHttp, OutboundRequest, OutboundResponse } from '#libs/outbound-http';
import type {
  AuthorizationRequest,
  CodeExchange,
  Grant,
  RenewableGrant,
  RenewalResult,
  Tokens,
} from '../domain/provider-grants.js';
import type { Readiness } from '../provider.types.js';
import {
  type Answered,
  formPost,
  grantIn,
  isFinal,
  mayPublish,
  refusedRenewal,
  type ScopeFormat,
  signInRefusal,
} from './token-endpoint.js';

type Form = Readonly<Record<string, string>>;

/** What differs between networks that issue refresh tokens (RFC 6749). */
export interface OAuthDialect {
  readonly platform: Platform;
  readonly displayName: string;
  /** On whose page the person signs in. Default the network. */
  readonly issuer?: string;
  readonly isSetUp: boolean;
  /** Whether the configured address and credentials publish to real accounts. */
  readonly isReal: boolean;
  /** See `PublishingProvider.setup`. */
  readonly setup: readonly unknown[];
  readonly authorizeUrl: string;
  /** Of the consent page, besides those of every authorization code request. */
  readonly query: Form;
  /** RFC 7636. */
  readonly usesPkce?: true;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  /** Sent with each call: fields and headers that authenticate this service, or that the network wants. */
  readonly client: { readonly fields?: Form; readonly headers?: Form };
  /** The revoke route takes a token alone. */
  readonly revokesWithoutClient?: true;
  /** Tokens that are revoked one after another. Pure. */
  readonly revoked: (tokens: Tokens) => readonly (string | null)[];
  readonly scopes: ScopeFormat;
  readonly required: readonly string[];
  /** What else the response to an exchange or a renewal says of the grant. Pure. */
  readonly completed?: (grant: Grant, body: unknown, now: Date) => Grant;
  readonly usable?: (grant: Grant) => Grant;
  readonly refusesClient: (response: OutboundResponse) => boolean;
  /** Whether a code is refused. Default every final response. Pure. */
  readonly refusesCode?: (response: OutboundResponse) => boolean;
  /** Whether the grant is dead. Called with final responses. Pure. */
  readonly refusesGrant: (response: Answered) => boolean;
}

/** Signs in, renews and revokes. A network adds its accounts and how it publishes. */
export abstract class OAuthProvider {
  readonly platform: Platform;
  readonly displayName: string;

  protected constructor(
    protected readonly http: OutboundHttp,
    protected readonly clock: Clock,
    private readonly dialect: OAuthDialect,
  ) {
    this.platform = dialect.platform;
    this.displayName = dialect.displayName;
  }

  readiness(): Readiness {
    return this.dialect.isSetUp ? this.connectedReadiness() : 'setup-required';
  }

  connectedReadiness(): 'production-ready' | 'sandbox-only' {
    return this.dialect.isReal ? 'production-ready' : 'sandbox-only';
  }

  setup(): string {
    return JSON.stringify(this.dialect.setup);
  }

  authorizationUrl({ state, redirectUri, codeChallenge }: AuthorizationRequest): string {
    const { authorizeUrl, query, usesPkce } = this.dialect;
    const url = new URL(authorizeUrl);
    url.search = new URLSearchParams({
      response_type: 'code',
      ...query,
      redirect_uri: redirectUri,
      state,
      ...(usesPkce && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    }).toString();
    return url.toString();
  }

  async exchange({ code, codeVerifier, redirectUri }: CodeExchange): Promise<Grant> {
    const { displayName, issuer, required, usesPkce, usable, refusesCode = isFinal } = this.dialect;
    const response = await this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(usesPkce && { code_verifier: codeVerifier }),
    });
    const grant = this.grantIn(response);
    if (grant) {
      const allowed = mayPublish(displayName, required, grant);
      return usable ? usable(allowed) : allowed;
    }
    const refused = { ofClient: this.dialect.refusesClient(response), isRefused: refusesCode(response) };
    throw signInRefusal({ displayName, issuer }, refused);
  }

  /** A grant without a refresh token cannot be renewed. */
  async renew({ refreshToken }: RenewableGrant): Promise<RenewalResult> {
    if (!refreshToken) return { kind: 'dead' };
    const response = await this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const grant = this.grantIn(response);
    if (grant) return { kind: 'granted', grant };
    const { refusesGrant, refusesClient } = this.dialect;
    return refusedRenewal(response, refusesGrant, refusesClient);
  }

  async revoke(tokens: Tokens): Promise<void> {
    const { revokeUrl, revokesWithoutClient, revoked } = this.dialect;
    for (const token of revoked(tokens))
      if (token !== null)
        await this.http.send(
          revokesWithoutClient ? formPost(revokeUrl, { token }) : this.request(revokeUrl, { token }),
        );
  }

  private token(form: Form): Promise<OutboundResponse> {
    return this.http.send(this.request(this.dialect.tokenUrl, form));
  }

  private request(url: string, form: Form): OutboundRequest {
    const { fields, headers } = this.dialect.client;
    const request = formPost(url, { ...form, ...fields });
    return { ...request, headers: { ...request.headers, ...headers } };
  }

  private grantIn(response: OutboundResponse): Grant | null {
    const now = this.clock.now();
    const grant = grantIn(response, now, this.dialect.scopes);
    const { completed } = this.dialect;
    return grant && completed && response.kind === 'answered' ? completed(grant, response.body, now) : grant;
  }
}
