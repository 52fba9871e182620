import { createHash, randomBytes } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { RequestCommand } from '#libs/messages';
import { AuthorizationRequestsStore } from '../sign-in/authorization-requests.store.js';
import { ConnectionAccess } from '../connections/connection-access.js';
import { IntegrationsConfig } from '../integrations.config.js';
import { ProviderReadiness } from '../registry/provider-readiness.js';

export interface ConnectStart {
  readonly authorizationUrl: string;
  /** Set it in the browser that opens the page: only that browser may return. */
  readonly cookie: string;
  readonly state: string;
}

export interface BeginConnectRequest {
  readonly platform: string;
  readonly brandId: string;
  readonly caller: Caller;
  /** The `Authorization` header: the caller is validated again when the sign-in returns. */
  readonly authorization: string | undefined;
}

export class BeginConnect extends RequestCommand<BeginConnectRequest, ConnectStart> {}

@CommandHandler(BeginConnect)
export class BeginConnectHandler implements ICommandHandler<BeginConnect> {
  constructor(
    private readonly providers: ProviderReadiness,
    private readonly brands: ConnectionAccess,
    private readonly requests: AuthorizationRequestsStore,
    private readonly config: IntegrationsConfig,
  ) {}

  async execute({
    request: { platform, brandId, caller, authorization },
  }: BeginConnect): Promise<ConnectStart> {
    const provider = await this.providers.connectable(platform);
    const { organizationId } = await this.brands.must(caller, 'accounts.write', brandId);
    const [state, cookie, codeVerifier] = [secret(), secret(), secret()];
    const redirectUri = `${this.config.publicUrl}/api/integrations/${platform}/callback`;
    await this.requests.keep(
      state,
      {
        platform,
        brandId,
        organizationId,
        userId: caller.id,
        redirectUri,
        codeVerifier,
        authorization: authorization ?? null,
      },
      cookie,
    );
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    return {
      authorizationUrl: provider.authorizationUrl({ state, codeChallenge, redirectUri }),
      cookie,
      state,
    };
  }
}

/** 256 random bits in 43 characters: enough for a state, a cookie and a PKCE verifier (RFC 7636, section 4.1). */
function secret(): string {
  return randomBytes(32).toString('base64url');
}
