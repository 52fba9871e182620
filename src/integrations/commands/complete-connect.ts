import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler, QueryBus } from '@nestjs/cqrs';
import { GetBrand } from '../../brands/index.js';
import { AuthorizationRequestsStore } from '../connections/authorization-requests.store.js';
import type { AuthorizationInProgress } from '../connections/authorization-requests.store.js';
import { ConnectedAccounts } from '../connections/connected-accounts.js';
import { AuthorizationFailed, AuthorizationStateIsInvalid } from '../integration.errors.js';
import type { AccountProfile } from '../provider.js';
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
 * @throws PlatformNotFound, AuthorizationStateIsInvalid, AuthorizationFailed, NetworkIsUnavailable
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
    private readonly queries: QueryBus,
  ) {}

  async execute({ answer }: CompleteConnect): Promise<ConnectedAccount> {
    const provider = this.providers.publishing(answer.platform);
    const request = await this.requests.take(answer.state, answer.platform, answer.cookie);
    if (!request) throw new AuthorizationStateIsInvalid();
    await this.stillInPlace(request);
    if (!answer.code) throw new AuthorizationFailed('Access was not allowed; nothing was connected.');
    const grant = await provider.exchangeCode({ ...request, code: answer.code });
    const profile: AccountProfile = await provider.profile(grant.accessToken);
    const connectionId = await this.accounts.connect(request, profile, grant);
    return { connectionId, displayName: provider.displayName, username: profile.username };
  }

  /** A brand that moved to another organization meanwhile gets no account from somebody of the former one. */
  private async stillInPlace({ brandId, organizationId }: AuthorizationInProgress): Promise<void> {
    const brand = await this.queries.execute(new GetBrand({ brandId })).catch(() => null);
    if (brand?.organizationId !== organizationId) throw new AuthorizationStateIsInvalid();
  }
}
