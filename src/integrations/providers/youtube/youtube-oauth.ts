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
import { YoutubeConfig } from './youtube.config.js';

const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload';
const READ = 'https://www.googleapis.com/auth/youtube.readonly';
/** Upload videos, and read the channel (developers.google.com/youtube/v3/guides/auth/server-side-web-apps, read 2026-11-21). */
export const YOUTUBE_SCOPES = [UPLOAD, READ];
/** UTF-16 units of all scopes of a grant. */
const MAX_SCOPE = 4_000;

/**
 * OAuth 2.0 with PKCE at Google (developers.google.com/identity/protocols/oauth2/web-server, read 2026-11-21). The response to a renewal
 * has no refresh token: the former one stays valid.
 */
@Injectable()
export class YoutubeOAuth {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: YoutubeConfig,
    private readonly clock: Clock,
  ) {}

  /** `consent` each time: Google returns a refresh token only with a new consent. */
  authorizationUrl({ state, codeChallenge, redirectUri }: AuthorizationRequest): string {
    const url = new URL(this.config.authorizeUrl);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.config.clientId ?? '',
      redirect_uri: redirectUri,
      scope: YOUTUBE_SCOPES.join(' '),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
    }).toString();
    return url.toString();
  }

  async exchangeCode({ code, codeVerifier, redirectUri }: CodeExchange): Promise<Grant> {
    const response = await this.post('/token', {
      ...this.client(),
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
    });
    const grant = this.grantIn(response);
    if (grant) return usable(grant);
    if (refusesClient(response)) throw new ServiceIsRefused('YouTube', CLIENT_REFUSED);
    if (response.kind === 'answered' && response.status < 500 && response.status !== 429)
      throw new AuthorizationFailed('Google did not accept the sign-in. Start it again.');
    throw new NetworkIsUnavailable('YouTube');
  }

  async refresh(refreshToken: string): Promise<RenewalResult> {
    const response = await this.post('/token', {
      ...this.client(),
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    const grant = this.grantIn(response);
    if (grant) return { kind: 'granted', grant };
    if (response.kind !== 'answered' || response.status >= 500 || response.status === 429)
      return { kind: 'unavailable' };
    if (memberOf(response.body, 'error') === 'invalid_grant') return { kind: 'dead' };
    const isRefused = response.status === 400 || response.status === 401 || response.status === 403;
    return isRefused ? { kind: 'misconfigured', client: refusesClient(response) } : { kind: 'unavailable' };
  }

  /** Either token ends the whole consent. */
  async revoke({ accessToken, refreshToken }: Tokens): Promise<void> {
    await this.post('/revoke', { token: refreshToken ?? accessToken });
  }

  /** Google takes the credentials in the body. */
  private client(): Record<string, string> {
    const { clientId = '', clientSecret } = this.config;
    return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
  }

  private post(path: string, form: Record<string, string>): Promise<OutboundResponse> {
    return this.http.send({
      method: 'POST',
      url: this.config.oauthUrl + path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  }

  private grantIn(response: OutboundResponse): Grant | null {
    if (response.kind !== 'answered' || response.status !== 200) return null;
    const { body } = response;
    const [accessToken, refreshToken] = [memberOf(body, 'access_token'), memberOf(body, 'refresh_token')];
    if (typeof accessToken !== 'string' || accessToken === '') return null;
    return {
      accessToken,
      refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
      expiresAt: expiryIn(memberOf(body, 'expires_in'), this.clock.now()),
      scopes: (wordsIn(memberOf(body, 'scope'), MAX_SCOPE) ?? '').split(' ').filter(Boolean),
    };
  }
}

/** People can deselect single permissions on Google's page. @throws AuthorizationFailed */
function usable(grant: Grant): Grant {
  if (grant.scopes.length > 0 && !grant.scopes.includes(UPLOAD))
    throw new AuthorizationFailed('Uploading videos was not allowed. Start again and allow it.');
  if (grant.refreshToken === null)
    throw new AuthorizationFailed(
      'Google gave no lasting access. Remove this app from the connections of your Google account, then start again.',
    );
  return grant;
}

/** RFC 6749, section 5.2. */
function refusesClient(response: OutboundResponse): boolean {
  if (response.kind !== 'answered') return false;
  const error = memberOf(response.body, 'error');
  return error === 'invalid_client' || error === 'unauthorized_client' || error === 'deleted_client';
}
