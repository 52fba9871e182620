import { Injectable } from '@nestjs/common';
import type { Finding, Platform } from '#libs/content';
import type { NetworkSearch } from '../../delivery-outcome.js';
import type {
  AccountProfile,
  AuthorizationRequest,
  CodeExchange,
  Grant,
  PreflightInput,
  PublishAnswer,
  PublishCall,
  PublishingProvider,
  Readiness,
  ReconcileRequest,
  RefreshAnswer,
} from '../../provider.js';
import { XApi } from './x-api.js';
import { XOAuth } from './x-oauth.js';
import { XProfile } from './x-profile.js';
import { preflight } from './x-text.js';
import { XTimeline } from './x-timeline.js';
import { idIn } from './x-values.js';
import { XConfig } from './x.config.js';

/** X, the short-post network. */
@Injectable()
export class XProvider implements PublishingProvider {
  readonly platform = 'x' as Platform;
  readonly displayName = 'X';
  /** `POST /2/oauth2/revoke` takes one token; another sign-in of the same account keeps its own. */
  readonly revocation = 'token';

  constructor(
    private readonly config: XConfig,
    private readonly oauth: XOAuth,
    private readonly api: XApi,
    private readonly profiles: XProfile,
    private readonly timeline: XTimeline,
  ) {}

  readiness(): Readiness {
    return this.config.clientId ? this.connectedReadiness() : 'setup-required';
  }

  /** Elsewhere than at X's own host no real account is reached, whatever the credentials. */
  connectedReadiness(): 'production-ready' | 'sandbox-only' {
    return new URL(this.config.apiUrl).hostname === 'api.x.com' ? 'production-ready' : 'sandbox-only';
  }

  setup(): string {
    const { apiUrl, clientId, clientSecret } = this.config;
    return JSON.stringify([apiUrl, clientId, clientSecret]);
  }

  preflight(content: PreflightInput): Finding[] {
    return preflight(content);
  }

  isPostId(id: string): boolean {
    return idIn(id) !== null;
  }

  authorizationUrl(request: AuthorizationRequest): string {
    return this.oauth.authorizationUrl(request);
  }

  exchangeCode(exchange: CodeExchange): Promise<Grant> {
    return this.oauth.exchangeCode(exchange);
  }

  profile(accessToken: string): Promise<AccountProfile> {
    return this.profiles.read(accessToken);
  }

  refresh(refreshToken: string): Promise<RefreshAnswer> {
    return this.oauth.refresh(refreshToken);
  }

  revoke(grant: Pick<Grant, 'accessToken' | 'refreshToken'>): Promise<void> {
    return this.oauth.revoke(grant);
  }

  publish(call: PublishCall): Promise<PublishAnswer> {
    return this.api.createPost(call);
  }

  reconcile(request: ReconcileRequest): Promise<NetworkSearch> {
    return this.timeline.find(request);
  }
}
