import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { AuthorizationRequestsStore } from '../connections/authorization-requests.store.js';
import type { AuthorizationInProgress } from '../connections/authorization-requests.store.js';
import { ConnectAccess } from '../connections/connect-access.js';
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
import { Revocations } from '../tokens/revocations.js';

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
  readonly brandName: string;
}

/**
 * Takes up a sign-in where the network sent the person back. The person who began it must still be allowed to connect accounts of the
 * brand, by the session in which it began.
 * @throws PlatformNotFound, AuthorizationStateIsInvalid, ConnectIsNotAllowed, IdentityIsUnavailable, AuthorizationFailed, ServiceIsRefused, NetworkIsUnavailable
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
    private readonly access: ConnectAccess,
    private readonly revocations: Revocations,
  ) {}

  async execute({ answer }: CompleteConnect): Promise<ConnectedAccount> {
    const provider = this.providers.publishing(answer.platform);
    const request = await this.requests.take(answer.state, answer.platform, answer.cookie);
    if (!request) throw new AuthorizationStateIsInvalid();
    const brandName = await this.access.stillAllowed(request);
    if (!answer.code) throw new AuthorizationFailed('Access was not allowed; nothing was connected.');
    try {
      const grant = await provider.exchangeCode({ ...request, code: answer.code });
      return { ...(await this.connected(provider, request, grant)), brandName };
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
  ): Promise<Omit<ConnectedAccount, 'brandName'>> {
    let accountId: string | null = null;
    try {
      await this.platforms.release(provider.platform, CLIENT_REFUSED);
      const profile = await provider.profile(grant.accessToken);
      accountId = profile.accountId;
      const { connectionId, replaced } = await this.revocations.storing(provider, accountId, grant, () =>
        this.accounts.connect(request, profile, grant),
      );
      if (replaced) await this.revocations.replaced(provider, replaced, grant);
      return { connectionId, displayName: provider.displayName, username: profile.username };
    } catch (error) {
      await this.revocations.end(provider, accountId, grant);
      throw error;
    }
  }
}
