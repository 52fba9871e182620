import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import type {
  AuthorizationRequest,
  CodeExchange,
  Grant,
  RenewalResult,
  Tokens,
} from '../../domain/provider-grants.js';
import {
  type Answered,
  formPost,
  grantIn,
  isFinal,
  mayPublish,
  namesClient,
  refusedRenewal,
  signInRefusal,
} from '../token-endpoint.js';
import { expiryIn, memberOf } from '../values.js';
import type { Variant } from './linkedin-variants.js';
import { LinkedInConfig } from './linkedin.config.js';

/** Separated by spaces in the documentation, by commas in responses. */
const SCOPES = { separator: /[\s,]+/, max: 2_000 };

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
    if (grant) return mayPublish(variant.displayName, variant.required, grant);
    const isRefused = isFinal(response) && response.status >= 400;
    const refused = { ofClient: refusesClient(response), isRefused };
    throw signInRefusal({ displayName: variant.displayName, issuer: 'LinkedIn' }, refused);
  }

  async refresh(variant: Variant, refreshToken: string): Promise<RenewalResult> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const response = await this.post(variant, '/accessToken', form);
    const grant = this.grantIn(response);
    return grant ? { kind: 'granted', grant } : refusedRenewal(response, refusesGrant, refusesClient);
  }

  async revoke(variant: Variant, { accessToken, refreshToken }: Tokens): Promise<void> {
    for (const token of [refreshToken, accessToken])
      if (token !== null) await this.post(variant, '/revoke', { token });
  }

  /** LinkedIn takes client credentials in the body. */
  private post(variant: Variant, path: string, form: Record<string, string>): Promise<OutboundResponse> {
    const { clientId = '', clientSecret = '' } = this.config.credentialsOf(variant);
    const fields = { ...form, client_id: clientId, client_secret: clientSecret };
    return this.http.send(formPost(this.config.oauthUrl + path, fields));
  }

  private grantIn(response: OutboundResponse): Grant | null {
    const grant = grantIn(response, this.clock.now(), SCOPES);
    if (grant === null || response.kind !== 'answered') return null;
    const seconds = memberOf(response.body, 'refresh_token_expires_in');
    return { ...grant, refreshExpiresAt: expiryIn(seconds, this.clock.now()) };
  }
}

/** LinkedIn uses `invalid_client` for a wrong secret too. */
const refusesClient = (response: OutboundResponse): boolean =>
  response.kind === 'answered' && namesClient(memberOf(response.body, 'error'));

/** An ended refresh token is also reported as an invalid request: "The provided authorization grant or refresh token is invalid …". */
function refusesGrant({ status, body }: Answered): boolean {
  if (status < 400) return false;
  const [error, description] = [memberOf(body, 'error'), memberOf(body, 'error_description')];
  if (error === 'invalid_grant') return true;
  return (
    error === 'invalid_request' &&
    typeof description === 'string' &&
    /(grant|refresh token|token) .*(invalid|expired|revoked)/i.test(description)
  );
}
