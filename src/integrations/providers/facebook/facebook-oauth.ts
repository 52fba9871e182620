import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import type { AuthorizationRequest, CodeExchange, Grant, Tokens } from '../../domain/provider-grants.js';
import { graphTokenIn } from '../graph/graph-wire.js';
import type { GraphError } from '../graph/graph-errors.js';
import { refusesApplication, graphSignInRefusal } from '../graph/graph-refusals.js';
import { formPost } from '../token-endpoint.js';
import { bodyIn, expiryIn, memberOf } from '../values.js';
import { FacebookConfig } from './facebook.config.js';

/**
 * List pages, publish on them, and read what was published. Scopes of groups are refused since 2024-04-22: one of them in the list ends
 * the dialog with `error_code=100` (developers.facebook.com/docs/graph-api/changelog/version19.0).
 */
export const FACEBOOK_SCOPES = ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement'];

/**
 * Sign-in of a person (developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow and
 * /docs/facebook-login/guides/access-tokens/get-long-lived, read 2026-11-21). There is no PKCE for server applications. The documents show
 * GET for the exchanges; POST with a form is accepted too and keeps the secret out of addresses.
 */
@Injectable()
export class FacebookOAuth {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: FacebookConfig,
    private readonly clock: Clock,
  ) {}

  /** `auth_type=rerequest`: Facebook does not ask again for what the person denied before, unless it is told to. */
  authorizationUrl({ state, redirectUri }: AuthorizationRequest): string {
    const { dialogUrl, apiVersion, appId = '' } = this.config;
    const query = new URLSearchParams({
      client_id: appId,
      redirect_uri: redirectUri,
      state,
      response_type: 'code',
      scope: FACEBOOK_SCOPES.join(','),
      auth_type: 'rerequest',
    });
    return `${dialogUrl}/${apiVersion}/dialog/oauth?${query.toString()}`;
  }

  /** The code becomes a token of about an hour, and that one a token of about 60 days: page tokens taken with it do not expire. */
  async exchangeCode({ code, redirectUri }: CodeExchange): Promise<Grant> {
    const short = await this.token({ code, redirect_uri: redirectUri });
    return this.token({ grant_type: 'fb_exchange_token', fb_exchange_token: short.accessToken });
  }

  /**
   * Ends everything that the person allowed (developers.facebook.com/docs/facebook-login/guides/permissions/request-revoke). The token of a
   * page cannot do that; the credentials of this service can, for a known person. Best effort.
   */
  async revoke({ accessToken }: Tokens, personId: string | null): Promise<void> {
    const { appId = '', appSecret = '', graph } = this.config;
    const url = `${graph}/${personId === null ? 'me' : encodeURIComponent(personId)}/permissions`;
    const token = personId === null ? accessToken : `${appId}|${appSecret}`;
    await this.http.send({ method: 'DELETE', url, headers: { authorization: `Bearer ${token}` } });
  }

  private async token(fields: Record<string, string>): Promise<Grant> {
    const { appId = '', appSecret = '', graph } = this.config;
    const client = { client_id: appId, client_secret: appSecret };
    const response = await this.http.send(formPost(`${graph}/oauth/access_token`, { ...client, ...fields }));
    const grant = this.grantIn(response);
    if (grant) return grant;
    throw graphSignInRefusal('Facebook', response, refusesClient);
  }

  private grantIn(response: OutboundResponse): Grant | null {
    const body = bodyIn(response);
    const accessToken = graphTokenIn(memberOf(body, 'access_token'));
    if (accessToken === null) return null;
    const expiresAt = expiryIn(memberOf(body, 'expires_in'), this.clock.now());
    return { accessToken, refreshToken: null, expiresAt, scopes: FACEBOOK_SCOPES };
  }
}

/** A wrong secret has no code of its own: 1, which elsewhere is an unknown error, with these words (seen by clients, not documented). */
const refusesClient = (error: GraphError): boolean =>
  refusesApplication(error) || error.words.includes('validating client secret');
