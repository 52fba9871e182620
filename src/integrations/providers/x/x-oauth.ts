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
import { memberOf } from '../values.js';
import { forbidsClient, readXError } from './x-errors.js';
import { XConfig } from './x.config.js';

/** Read, write, media upload and offline refresh (docs.x.com, "OAuth 2.0 scopes"). */
export const X_SCOPES = ['tweet.read', 'users.read', 'tweet.write', 'media.write', 'offline.access'];
/** Without `offline.access` the connection ends after two hours. */
const REQUIRED = X_SCOPES;
/** X has about twenty scopes. */
const SCOPES = { separator: ' ', max: 2_000 };

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
    const grant = grantIn(response, this.clock.now(), SCOPES);
    if (grant) return mayPublish('X', REQUIRED, grant);
    const refused = { ofClient: refusesClient(response), isRefused: isFinal(response) };
    throw signInRefusal({ displayName: 'X' }, refused);
  }

  async refresh(refreshToken: string): Promise<RenewalResult> {
    const response = await this.post('/2/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    const grant = grantIn(response, this.clock.now(), SCOPES);
    return grant ? { kind: 'granted', grant } : refusedRenewal(response, refusesGrant, refusesClient);
  }

  /** Revoking the refresh token ends the whole grant (RFC 7009, section 2.1). */
  async revoke({ accessToken, refreshToken }: Tokens): Promise<void> {
    await this.post('/2/oauth2/revoke', { token: refreshToken ?? accessToken });
  }

  /** A confidential client sends its secret as HTTP Basic; X refuses it in the body. A public client sends its id in the body. */
  private post(path: string, form: Record<string, string>): Promise<OutboundResponse> {
    const { clientId = '', clientSecret, apiUrl } = this.config;
    if (!clientSecret) return this.http.send(formPost(apiUrl + path, { ...form, client_id: clientId }));
    const request = formPost(apiUrl + path, form);
    const authorization = `Basic ${basic(clientId, clientSecret)}`;
    return this.http.send({ ...request, headers: { ...request.headers, authorization } });
  }
}

/** Both parts are form-encoded first (RFC 6749, section 2.3.1). */
function basic(id: string, secret: string): string {
  return btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`);
}

/** X uses both errors that concern the client, `unauthorized_client` also for a wrong secret. */
function refusesClient(response: OutboundResponse): boolean {
  if (response.kind !== 'answered') return false;
  const { status, body } = response;
  return namesClient(memberOf(body, 'error')) || forbidsClient(readXError(status, body));
}

/** X also reports an expired refresh token as an invalid request: "Value passed for the token was invalid." */
function refusesGrant({ body }: Answered): boolean {
  const [error, description] = [memberOf(body, 'error'), memberOf(body, 'error_description')];
  if (error === 'invalid_grant') return true;
  return (
    error === 'invalid_request' && typeof description === 'string' && /token was invalid/i.test(description)
  );
}
