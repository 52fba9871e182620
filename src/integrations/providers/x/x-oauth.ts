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
import { forbidsClient, readXError } from './x-errors.js';
import { expiryIn, wordsIn } from '../values.js';
import { XConfig } from './x.config.js';

/** Read, write, media upload and offline refresh (docs.x.com, "OAuth 2.0 scopes"). */
export const X_SCOPES = ['tweet.read', 'users.read', 'tweet.write', 'media.write', 'offline.access'];
/** UTF-16 units of all scopes of a grant; X has about twenty. */
const MAX_SCOPE = 2_000;

/** OAuth 2.0 with PKCE at X. Refresh tokens are single-use: the tokens of each refresh response replace the stored ones. */
@Injectable()
export class XOAuth {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: XConfig,
    private readonly clock: Clock,
  ) {}

  authorizationUrl({ state, codeChallenge, redirectUri }: AuthorizationRequest): string {
    const url = new URL(this.config.authorizeUrl);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.config.clientId ?? '',
      redirect_uri: redirectUri,
      scope: X_SCOPES.join(' '),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString();
    return url.toString();
  }

  async exchangeCode({ code, codeVerifier, redirectUri }: CodeExchange): Promise<Grant> {
    const response = await this.post('/2/oauth2/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
    const grant = this.grantIn(response);
    if (grant) return grant;
    if (refusesClient(response)) throw new ServiceIsRefused('X', CLIENT_REFUSED);
    if (response.kind === 'answered' && response.status < 500 && response.status !== 429)
      throw new AuthorizationFailed('X did not accept the sign-in. Start it again.');
    throw new NetworkIsUnavailable('X');
  }

  async refresh(refreshToken: string): Promise<RenewalResult> {
    const response = await this.post('/2/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    const grant = this.grantIn(response);
    if (grant) return { kind: 'granted', grant };
    if (response.kind !== 'answered' || response.status >= 500 || response.status === 429)
      return { kind: 'unavailable' };
    const error = (response.body as { error?: unknown } | null | undefined)?.error;
    if (error === 'invalid_grant' || (error === 'invalid_request' && namesTheToken(response.body)))
      return { kind: 'dead' };
    return response.status === 400 || response.status === 401 || response.status === 403
      ? { kind: 'misconfigured', client: refusesClient(response) }
      : { kind: 'unavailable' };
  }

  /** Revoking the refresh token ends the whole grant (RFC 7009, section 2.1). */
  async revoke({ accessToken, refreshToken }: Tokens): Promise<void> {
    await this.post('/2/oauth2/revoke', { token: refreshToken ?? accessToken });
  }

  /** A confidential client sends its secret as HTTP Basic; X refuses it in the body. A public client sends its id in the body. */
  private post(path: string, form: Record<string, string>): Promise<OutboundResponse> {
    const { clientId = '', clientSecret, apiUrl } = this.config;
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
    if (clientSecret) headers.authorization = `Basic ${basic(clientId, clientSecret)}`;
    const fields = clientSecret ? form : { ...form, client_id: clientId };
    const body = new URLSearchParams(fields).toString();
    return this.http.send({ method: 'POST', url: apiUrl + path, headers, body });
  }

  private grantIn(response: OutboundResponse): Grant | null {
    if (response.kind !== 'answered' || response.status !== 200) return null;
    const fields = (response.body ?? {}) as Record<string, unknown>;
    if (typeof fields.access_token !== 'string') return null;
    return {
      accessToken: fields.access_token,
      refreshToken: typeof fields.refresh_token === 'string' ? fields.refresh_token : null,
      expiresAt: expiryIn(fields.expires_in, this.clock.now()),
      scopes: (wordsIn(fields.scope, MAX_SCOPE) ?? '').split(' ').filter(Boolean),
    };
  }
}

/** Both parts are form-encoded first (RFC 6749, section 2.3.1). */
function basic(id: string, secret: string): string {
  return btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`);
}

/** RFC 6749, section 5.2: two of its errors concern the client. X uses both, the second one also for a wrong secret. */
function refusesClient(response: OutboundResponse): boolean {
  if (response.kind !== 'answered') return false;
  const error = (response.body as { error?: unknown } | null | undefined)?.error;
  return (
    error === 'invalid_client' ||
    error === 'unauthorized_client' ||
    forbidsClient(readXError(response.status, response.body))
  );
}

/** X also reports an expired refresh token as an invalid request: "Value passed for the token was invalid." */
function namesTheToken(body: unknown): boolean {
  const description = (body as { error_description?: unknown }).error_description;
  return typeof description === 'string' && /token was invalid/i.test(description);
}
