import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp } from '#libs/outbound-http';
import type { OutboundResponse } from '#libs/outbound-http';
import {
  AuthorizationFailed,
  CLIENT_REFUSED,
  NetworkIsUnavailable,
  ServiceIsRefused,
} from '../../domain/integration.errors.js';
import type {
  AuthorizationRequest,
  CodeExchange,
  Grant,
  RenewalResult,
  Tokens,
} from '../../domain/provider-grants.js';
import { expiryIn, memberOf, wordsIn } from '../values.js';
import type { Variant } from './linkedin-variants.js';
import { LinkedInConfig } from './linkedin.config.js';

/** UTF-16 units of all scopes of a grant. */
const MAX_SCOPE = 2_000;

/**
 * OAuth 2.0 of confidential web apps, without PKCE: learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow and
 * …/programmatic-refresh-tokens, read 2026-11-23. Only approved partners get refresh tokens. These stay the same when they are used,
 * and end a year after the sign-in. The revoke route is known from clients, not from a page of LinkedIn.
 */
@Injectable()
export class LinkedInOAuth {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: LinkedInConfig,
    private readonly clock: Clock,
  ) {}

  authorizationUrl(variant: Variant, { state, redirectUri }: AuthorizationRequest): string {
    const url = new URL(this.config.authorizeUrl);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.config.credentialsOf(variant).clientId ?? '',
      redirect_uri: redirectUri,
      state,
      scope: variant.scopes.join(' '),
    }).toString();
    return url.toString();
  }

  async exchangeCode(variant: Variant, { code, redirectUri }: CodeExchange): Promise<Grant> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const response = await this.post(variant, '/accessToken', form);
    const grant = this.grantIn(response);
    if (grant) return grant;
    if (refusesClient(response)) throw new ServiceIsRefused(variant.displayName, CLIENT_REFUSED);
    if (response.kind === 'answered' && isRefusal(response.status))
      throw new AuthorizationFailed('LinkedIn did not accept the sign-in. Start it again.');
    throw new NetworkIsUnavailable(variant.displayName);
  }

  async refresh(variant: Variant, refreshToken: string): Promise<RenewalResult> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const response = await this.post(variant, '/accessToken', form);
    const grant = this.grantIn(response);
    if (grant) return { kind: 'granted', grant };
    if (response.kind !== 'answered' || !isRefusal(response.status)) return { kind: 'unavailable' };
    if (refusesGrant(response.body)) return { kind: 'dead' };
    return [400, 401, 403].includes(response.status)
      ? { kind: 'misconfigured', client: refusesClient(response) }
      : { kind: 'unavailable' };
  }

  async revoke(variant: Variant, { accessToken, refreshToken }: Tokens): Promise<void> {
    for (const token of [refreshToken, accessToken])
      if (token !== null) await this.post(variant, '/revoke', { token });
  }

  /** LinkedIn takes client credentials in the body. */
  private post(variant: Variant, path: string, form: Record<string, string>): Promise<OutboundResponse> {
    const { clientId = '', clientSecret = '' } = this.config.credentialsOf(variant);
    const fields = { ...form, client_id: clientId, client_secret: clientSecret };
    return this.http.send({
      method: 'POST',
      url: this.config.oauthUrl + path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  }

  private grantIn(response: OutboundResponse): Grant | null {
    if (response.kind !== 'answered' || response.status !== 200) return null;
    const { body } = response;
    const accessToken = memberOf(body, 'access_token');
    if (typeof accessToken !== 'string' || accessToken === '') return null;
    const refreshToken = memberOf(body, 'refresh_token');
    return {
      accessToken,
      refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
      expiresAt: expiryIn(memberOf(body, 'expires_in'), this.clock.now()),
      refreshExpiresAt: expiryIn(memberOf(body, 'refresh_token_expires_in'), this.clock.now()),
      // Separated by spaces in the documentation, by commas in responses.
      scopes: (wordsIn(memberOf(body, 'scope'), MAX_SCOPE) ?? '').split(/[\s,]+/).filter(Boolean),
    };
  }
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/** RFC 6749, section 5.2. LinkedIn uses `invalid_client` for a wrong secret too. */
function refusesClient(response: OutboundResponse): boolean {
  if (response.kind !== 'answered') return false;
  const error = memberOf(response.body, 'error');
  return error === 'invalid_client' || error === 'unauthorized_client';
}

/** An ended refresh token is also reported as an invalid request: "The provided authorization grant or refresh token is invalid …". */
function refusesGrant(body: unknown): boolean {
  const [error, description] = [memberOf(body, 'error'), memberOf(body, 'error_description')];
  if (error === 'invalid_grant') return true;
  return (
    error === 'invalid_request' &&
    typeof description === 'string' &&
    /(grant|refresh token|token) .*(invalid|expired|revoked)/i.test(description)
  );
}
