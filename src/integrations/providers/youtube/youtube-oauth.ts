import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import { AuthorizationFailed } from '../../domain/integration.errors.js';
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
import { memberOf } from '../values.js';
import { YoutubeConfig } from './youtube.config.js';

const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload';
const READ = 'https://www.googleapis.com/auth/youtube.readonly';
/** Upload videos, and read the channel (developers.google.com/youtube/v3/guides/auth/server-side-web-apps, read 2026-11-21). */
export const YOUTUBE_SCOPES = [UPLOAD, READ];
const SCOPES = { separator: ' ', max: 4_000 };

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

  /** `consent` each time: Google returns a refresh token only with a new consent. The person also chooses the account each time. */
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
      prompt: 'select_account consent',
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
    const grant = grantIn(response, this.clock.now(), SCOPES);
    if (grant) return usable(mayPublish('YouTube', [UPLOAD], grant));
    const refused = { ofClient: refusesClient(response), isRefused: isFinal(response) };
    throw signInRefusal({ displayName: 'YouTube', issuer: 'Google' }, refused);
  }

  async refresh(refreshToken: string): Promise<RenewalResult> {
    const response = await this.post('/token', {
      ...this.client(),
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    const grant = grantIn(response, this.clock.now(), SCOPES);
    if (grant) return { kind: 'granted', grant };
    const isDead = ({ body }: Answered) => memberOf(body, 'error') === 'invalid_grant';
    return refusedRenewal(response, isDead, refusesClient);
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
    return this.http.send(formPost(this.config.oauthUrl + path, form));
  }
}

/** @throws AuthorizationFailed */
function usable(grant: Grant): Grant {
  if (grant.refreshToken === null)
    throw new AuthorizationFailed(
      'Google gave no lasting access. Remove this app from the connections of your Google account, then start again.',
    );
  return grant;
}

function refusesClient(response: OutboundResponse): boolean {
  if (response.kind !== 'answered') return false;
  const error = memberOf(response.body, 'error');
  return namesClient(error) || error === 'deleted_client';
}
