import { Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RequestCommand } from '#libs/messages';
import {
  AuthorizationRequestsStore,
  type ReturnedAuthorization,
} from '../sign-in/authorization-requests.store.js';
import type { AuthorizationRefusal } from '../sign-in/authorization-refusal.js';
import { ConnectAccess } from '../sign-in/connect-access.js';
import {
  type AccountToConnect,
  ConnectedAccounts,
  type StoredAccount,
} from '../sign-in/connected-accounts.js';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import {
  AuthorizationFailed,
  AuthorizationStateIsInvalid,
  CLIENT_REFUSED,
  NetworkIsUnavailable,
  ServiceIsRefused,
  SignInIsMisconfigured,
} from '../domain/integration.errors.js';
import type { Grant, GrantedAccount, Targets } from '../domain/provider-grants.js';
import type { PublishingProvider } from '../provider.types.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { Revocations } from '../tokens/revocations.js';

export interface AuthorizationReturn {
  readonly platform: string;
  readonly state: string;
  /** Undefined when the person refused access. */
  readonly code: string | undefined;
  /** null: the network did not refuse. */
  readonly refusal: AuthorizationRefusal | null;
  /** The browser's cookie for this state. */
  readonly cookie: string | undefined;
}

export interface Connected {
  readonly displayName: string;
  /** One for each connected account; at least one. */
  readonly usernames: readonly string[];
  readonly brandName: string;
}

/**
 * Completes a sign-in when the network redirects the person back. The session in which it began must still be allowed to connect
 * accounts of the brand.
 * @throws PlatformNotFound, AuthorizationStateIsInvalid, ConnectIsNotAllowed, IdentityIsUnavailable, AuthorizationFailed, SignInIsMisconfigured,
 * ServiceIsRefused, NetworkIsUnavailable
 */
export class CompleteConnect extends RequestCommand<AuthorizationReturn, Connected> {}

@CommandHandler(CompleteConnect)
export class CompleteConnectHandler implements ICommandHandler<CompleteConnect> {
  private readonly logger = new Logger(CompleteConnectHandler.name);

  constructor(
    private readonly requests: AuthorizationRequestsStore,
    private readonly providers: ProviderRegistry,
    private readonly accounts: ConnectedAccounts,
    private readonly platforms: PlatformHolds,
    private readonly access: ConnectAccess,
    private readonly revocations: Revocations,
  ) {}

  async execute({ request: answer }: CompleteConnect): Promise<Connected> {
    const provider = this.providers.publishing(answer.platform);
    const request = await this.requests.take(answer.state, answer.platform, answer.cookie);
    if (!request) throw new AuthorizationStateIsInvalid();
    const brandName = await this.access.stillAllowed(request);
    const code = this.codeIn(answer, provider);
    try {
      const grant = await provider.exchange({ ...request, code });
      const usernames = await this.connected(provider, request, grant);
      return { displayName: provider.displayName, usernames, brandName };
    } catch (error) {
      if (error instanceof ServiceIsRefused) await this.platforms.hold(provider.platform, error.reason);
      throw error;
    }
  }

  /** A code that comes with a refusal is not used. */
  private codeIn(
    { code, refusal }: AuthorizationReturn,
    { displayName, platform }: PublishingProvider,
  ): string {
    switch (refusal?.kind) {
      case 'misconfigured':
        this.logger.error(
          `${displayName} refuses sign-ins with code ${refusal.code ?? 'unknown'}: check the scopes and the redirect address of the application for ${platform}.`,
        );
        throw new SignInIsMisconfigured(displayName);
      case 'unavailable':
        throw new NetworkIsUnavailable(displayName);
      case 'denied':
      case undefined:
        if (refusal || !code) throw new AuthorizationFailed('Access was not allowed; nothing was connected.');
        return code;
    }
  }

  /** When storing fails, or it is not known whether it succeeded, the grants end at the network: the page says that nothing was connected. */
  private async connected(
    provider: PublishingProvider,
    request: ReturnedAuthorization,
    grant: Grant,
  ): Promise<string[]> {
    let granted: readonly GrantedAccount[] = [];
    const list = async () => {
      granted = await provider.accounts(grant, request);
      assertOwnRefreshTokens(provider, granted);
      return granted;
    };
    let stored: readonly StoredAccount[];
    try {
      await this.platforms.release(provider.platform, CLIENT_REFUSED);
      const targets = await targetsOf(provider, await list());
      const store = (accounts: readonly GrantedAccount[]) =>
        this.accounts.connect(request, withTargets(accounts, targets));
      stored = await this.revocations.storing(provider, granted, list, store);
    } catch (error) {
      await this.endGrants(provider, grant, granted);
      throw error;
    }
    for (const { account, former } of stored)
      if (former) await this.revocations.endFormer(provider, account, former);
    return stored.map(({ account }) => account.profile.username);
  }

  private async endGrants(
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

const NO_TARGETS: Targets = { pages: [], groups: [] };

/** Each connection renews its own tokens, so a refresh token that works once must not belong to two of them. */
function assertOwnRefreshTokens({ renewal }: PublishingProvider, granted: readonly GrantedAccount[]): void {
  if (renewal.refreshTokens === 'reusable') return;
  const tokens = granted.flatMap(({ grant }) => grant.refreshToken ?? []);
  if (new Set(tokens).size === tokens.length) return;
  throw new AuthorizationFailed(
    'Several accounts of this sign-in have the same refresh token; nothing was connected. Tell the operator of this service.',
  );
}

async function targetsOf(
  provider: PublishingProvider,
  granted: readonly GrantedAccount[],
): Promise<ReadonlyMap<string, Targets>> {
  const targets = new Map<string, Targets>();
  for (const { profile, grant } of granted)
    targets.set(profile.accountId, (await provider.targets?.(profile, grant)) ?? NO_TARGETS);
  return targets;
}

const withTargets = (
  granted: readonly GrantedAccount[],
  targets: ReadonlyMap<string, Targets>,
): AccountToConnect[] =>
  granted.map((account) => ({ ...account, targets: targets.get(account.profile.accountId) ?? NO_TARGETS }));
