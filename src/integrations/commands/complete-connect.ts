import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { AuthorizationRequestsStore } from '../sign-in/authorization-requests.store.js';
import type { AuthorizationInProgress } from '../sign-in/authorization-requests.store.js';
import { ConnectAccess } from '../sign-in/connect-access.js';
import { ConnectedAccounts } from '../sign-in/connected-accounts.js';
import type { AccountToConnect } from '../sign-in/connected-accounts.js';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import {
  AuthorizationFailed,
  AuthorizationStateIsInvalid,
  CLIENT_REFUSED,
  ServiceIsRefused,
} from '../domain/integration.errors.js';
import type { Grant, GrantedAccount } from '../domain/provider-grants.js';
import type { PublishingProvider } from '../provider.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { Revocations } from '../tokens/revocations.js';

export interface AuthorizationReturn {
  readonly platform: string;
  readonly state: string;
  /** Missing when the person said no. */
  readonly code: string | undefined;
  /** What the returning browser holds for this state. */
  readonly cookie: string | undefined;
}

export interface Connected {
  /** Of the network. */
  readonly displayName: string;
  /** Of every account that the sign-in yielded; at least one. */
  readonly usernames: readonly string[];
  readonly brandName: string;
}

/**
 * Takes up a sign-in where the network sent the person back. The person who began it must still be allowed to connect accounts of the
 * brand, by the session in which it began.
 * @throws PlatformNotFound, AuthorizationStateIsInvalid, ConnectIsNotAllowed, IdentityIsUnavailable, AuthorizationFailed, ServiceIsRefused, NetworkIsUnavailable
 */
export class CompleteConnect extends Command<Connected> {
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

  async execute({ answer }: CompleteConnect): Promise<Connected> {
    const provider = this.providers.publishing(answer.platform);
    const request = await this.requests.take(answer.state, answer.platform, answer.cookie);
    if (!request) throw new AuthorizationStateIsInvalid();
    const brandName = await this.access.stillAllowed(request);
    if (!answer.code) throw new AuthorizationFailed('Access was not allowed; nothing was connected.');
    try {
      const grant = await provider.exchange({ ...request, code: answer.code });
      const usernames = await this.connected(provider, request, grant);
      return { displayName: provider.displayName, usernames, brandName };
    } catch (error) {
      if (error instanceof ServiceIsRefused) await this.platforms.hold(provider.platform, error.reason);
      throw error;
    }
  }

  /** A caller that is told that nothing was connected has granted nothing either, also when it is not known whether it was stored. */
  private async connected(
    provider: PublishingProvider,
    request: AuthorizationInProgress,
    grant: Grant,
  ): Promise<string[]> {
    let granted: readonly GrantedAccount[] = [];
    try {
      await this.platforms.release(provider.platform, CLIENT_REFUSED);
      granted = await provider.accounts(grant);
      mustHaveOwnRefreshTokens(granted);
      const accounts = await withTargets(provider, granted);
      const askAgain = () => provider.accounts(grant);
      const stored = await this.revocations.storing(provider, granted, askAgain, () =>
        this.accounts.connect(request, accounts),
      );
      for (const { account, replaced } of stored)
        if (replaced) await this.revocations.replaced(provider, account, replaced);
      return accounts.map(({ profile }) => profile.username);
    } catch (error) {
      await this.undone(provider, grant, granted);
      throw error;
    }
  }

  private async undone(
    provider: PublishingProvider,
    grant: Grant,
    granted: readonly GrantedAccount[],
  ): Promise<void> {
    if (granted.length === 0)
      await this.revocations.end(provider, { accountId: null, consentId: null }, grant);
    for (const { profile, consentId, grant: own } of granted)
      await this.revocations.end(provider, { accountId: profile.accountId, consentId }, own);
  }
}

/** Each connection renews by itself: a refresh token that can be used once would end the others. */
function mustHaveOwnRefreshTokens(granted: readonly GrantedAccount[]): void {
  const tokens = granted.flatMap(({ grant }) => grant.refreshToken ?? []);
  if (new Set(tokens).size === tokens.length) return;
  throw new AuthorizationFailed(
    'Several accounts of this sign-in have the same refresh token; nothing was connected. Tell the operator of this service.',
  );
}

async function withTargets(
  provider: PublishingProvider,
  granted: readonly GrantedAccount[],
): Promise<AccountToConnect[]> {
  const accounts: AccountToConnect[] = [];
  for (const account of granted)
    accounts.push({ ...account, targets: await provider.targets(account.profile, account.grant) });
  return accounts;
}
