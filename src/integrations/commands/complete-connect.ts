import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { AuthorizationRequestsStore } from '../connections/authorization-requests.store.js';
import type { AuthorizationInProgress } from '../connections/authorization-requests.store.js';
import { BrandAccess } from '../connections/brand-access.js';
import { ConnectedAccounts } from '../connections/connected-accounts.js';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import {
  AuthorizationFailed,
  AuthorizationStateIsInvalid,
  CLIENT_REFUSED,
  ServiceIsRefused,
} from '../integration.errors.js';
import type { Grant, PublishingProvider } from '../provider.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

export interface AuthorizationReturn {
  readonly platform: string;
  readonly state: string;
  /** Missing when the person said no. */
  readonly code: string | undefined;
  /** What the returning browser holds for this state. */
  readonly cookie: string | undefined;
}

export interface ConnectedAccount {
  readonly connectionId: string;
  readonly displayName: string;
  readonly username: string;
}

/**
 * Takes up a sign-in where the network sent the person back.
 * @throws PlatformNotFound, AuthorizationStateIsInvalid, AuthorizationFailed, ServiceIsRefused, NetworkIsUnavailable
 */
export class CompleteConnect extends Command<ConnectedAccount> {
  constructor(readonly answer: AuthorizationReturn) {
    super();
  }
}

@CommandHandler(CompleteConnect)
export class CompleteConnectHandler implements ICommandHandler<CompleteConnect> {
  constructor(
    private readonly requests: AuthorizationRequestsStore,
    private readonly providers: ProviderRegistry,
    private readonly accounts: ConnectedAccounts,
    private readonly platforms: PlatformHolds,
    private readonly brands: BrandAccess,
  ) {}

  async execute({ answer }: CompleteConnect): Promise<ConnectedAccount> {
    const provider = this.providers.publishing(answer.platform);
    const request = await this.requests.take(answer.state, answer.platform, answer.cookie);
    if (!request) throw new AuthorizationStateIsInvalid();
    const { organizationId, brandId } = request;
    if (!(await this.brands.isStillOf(organizationId, brandId))) throw new AuthorizationStateIsInvalid();
    if (!answer.code) throw new AuthorizationFailed('Access was not allowed; nothing was connected.');
    try {
      const grant = await provider.exchangeCode({ ...request, code: answer.code });
      return await this.connected(provider, request, grant);
    } catch (error) {
      if (error instanceof ServiceIsRefused) await this.platforms.hold(provider.platform, error.reason);
      throw error;
    }
  }

  /** Who is told that nothing was connected has granted nothing either, also when it is not known whether it was stored. */
  private async connected(
    provider: PublishingProvider,
    request: AuthorizationInProgress,
    grant: Grant,
  ): Promise<ConnectedAccount> {
    try {
      await this.platforms.release(provider.platform, CLIENT_REFUSED);
      const profile = await provider.profile(grant.accessToken);
      const connectionId = await this.accounts.connect(request, profile, grant);
      return { connectionId, displayName: provider.displayName, username: profile.username };
    } catch (error) {
      await provider.revoke(grant);
      throw error;
    }
  }
}
