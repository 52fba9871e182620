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
  formPost,
  grantIn,
  isFinal,
  mayPublish,
  namesClient,
  refusedRenewal,
  signInRefusal,
} from '../token-endpoint.js';
import { memberOf, wordsIn } from '../values.js';
import { TikTokConfig } from './tiktok.config.js';

/** developers.tiktok.com/doc/tiktok-api-scopes, read 2026-11-21. */
export const TIKTOK_SCOPES = ['user.info.basic', 'video.publish', 'video.upload'];
const REQUIRED = ['user.info.basic', 'video.publish'];
const SCOPES = { separator: ',', max: 2_000 };
/** UTF-16 units of an error. */
const MAX_ERROR = 2_000;

/**
 * OAuth 2.0 at TikTok: login-kit-web and oauth-user-access-token-management (developers.tiktok.com/doc, read 2026-11-21). The client
 * sends `client_key` and `client_secret` in the body; web apps have no PKCE. Refresh tokens rotate, so the tokens of each response
 * replace the stored ones. An error may come with status 200.
 */
@Injectable()
export class TikTokOAuth {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: TikTokConfig,
    private readonly clock: Clock,
  ) {}

  /** `disable_auto_auth=1`: TikTok shows its page also to a person who allowed this service before. */
  authorizationUrl({ state, redirectUri }: AuthorizationRequest): string {
    const url = new URL(this.config.authorizeUrl);
    url.search = new URLSearchParams({
      client_key: this.config.clientKey ?? '',
      scope: TIKTOK_SCOPES.join(','),
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      disable_auto_auth: '1',
    }).toString();
    return url.toString();
  }

  async exchangeCode({ code, redirectUri }: CodeExchange): Promise<Grant> {
    const response = await this.token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
    const grant = grantIn(response, this.clock.now(), SCOPES);
    if (grant) return mayPublish('TikTok', REQUIRED, grant);
    const error = errorIn(response);
    const refused = { ofClient: namesClient(error), isRefused: error !== null && isFinal(response) };
    throw signInRefusal({ displayName: 'TikTok' }, refused);
  }

  async refresh(refreshToken: string): Promise<RenewalResult> {
    const response = await this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const grant = grantIn(response, this.clock.now(), SCOPES);
    if (grant) return { kind: 'granted', grant };
    // Status 200 with an error is a refusal too.
    return refusedRenewal(
      response,
      (refused) => errorIn(refused) === 'invalid_grant',
      (refused) => namesClient(errorIn(refused)),
    );
  }

  /** oauth-user-access-token-management, "Revoke access": the account no longer lists this service. */
  async revoke({ accessToken }: Tokens): Promise<void> {
    await this.post('/v2/oauth/revoke/', { token: accessToken });
  }

  private token(form: Record<string, string>): Promise<OutboundResponse> {
    return this.post('/v2/oauth/token/', form);
  }

  private post(path: string, form: Record<string, string>): Promise<OutboundResponse> {
    const { clientKey = '', clientSecret = '', apiUrl } = this.config;
    const fields = { client_key: clientKey, client_secret: clientSecret, ...form };
    const request = formPost(apiUrl + path, fields);
    return this.http.send({ ...request, headers: { ...request.headers, 'cache-control': 'no-cache' } });
  }
}

/** OAuth's own errors are texts; errors of the gateway in front of it are objects. */
function errorIn(response: OutboundResponse): string | null {
  if (response.kind !== 'answered') return null;
  const error = memberOf(response.body, 'error');
  return wordsIn(typeof error === 'string' ? error : memberOf(error, 'code'), MAX_ERROR);
}
