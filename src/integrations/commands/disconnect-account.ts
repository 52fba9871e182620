import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { BrandNotFound, type Caller } from '#libs/auth';
import { Database, type Transaction } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import { ERASED_COLUMNS, ConnectionLog } from '../connections/connection-log.js';
import { ConnectionAccess } from '../connections/connection-access.js';
import type { Connection } from '../domain/connection.js';
import { ConnectionsStore } from '../connections/connections.store.js';
import { ConnectionNotFound } from '../domain/integration.errors.js';
import { PreparationsStore } from '../preparations/preparations.store.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { Revocations } from '../tokens/revocations.js';
import { type StoredTokens, TokensStore } from '../tokens/tokens.store.js';

/** Erases the tokens and the profile, and revokes the grant at the network unless another connection uses the same consent. */
export class DisconnectAccount extends RequestCommand<
  {
    readonly connectionId: string;
    readonly caller: Caller;
  },
  void
> {}

const ERASE = `UPDATE integrations.connection SET ${ERASED_COLUMNS} WHERE id = $1`;

@CommandHandler(DisconnectAccount)
export class DisconnectAccountHandler implements ICommandHandler<DisconnectAccount> {
  constructor(
    private readonly database: Database,
    private readonly connections: ConnectionsStore,
    private readonly tokens: TokensStore,
    private readonly brands: ConnectionAccess,
    private readonly providers: ProviderRegistry,
    private readonly log: ConnectionLog,
    private readonly revocations: Revocations,
    private readonly preparations: PreparationsStore,
  ) {}

  async execute({ request: { connectionId, caller } }: DisconnectAccount): Promise<void> {
    const connection = await this.connections.find(connectionId);
    if (!connection || connection.state === 'disconnected') throw new ConnectionNotFound();
    const { organizationId } = await this.brands
      .must(caller, 'accounts.write', connection.brandId)
      .catch((error: unknown) => {
        throw error instanceof BrandNotFound ? new ConnectionNotFound() : error;
      });
    const { accountId, consentId, accessToken, refreshToken } = await this.database.transaction(
      (transaction) => this.erase(transaction, connection, organizationId, caller),
    );
    if (!accessToken) return;
    const provider = this.providers.publishing(connection.platform);
    await this.revocations.end(provider, { accountId, consentId }, { accessToken, refreshToken });
  }

  /** @returns the erased tokens */
  private async erase(
    transaction: Transaction,
    { id, brandId, platform }: Connection,
    organizationId: string,
    { type, id: actorId, name, channel }: Caller,
  ): Promise<StoredTokens> {
    await this.log.append(transaction, {
      type: 'AccountDisconnected',
      connectionId: id,
      brandId,
      organizationId,
      platform,
      changed: ['tokens', 'profile', 'state'],
      actor: { type, id: actorId, name },
      channel,
    });
    const isStillOf = await this.brands.isStillOf(organizationId, brandId);
    const stored = await this.tokens.hold(id);
    if (!isStillOf || !stored || stored.state === 'disconnected') throw new ConnectionNotFound();
    await transaction.query(ERASE, [id]);
    await this.preparations.erase(id);
    return stored;
  }
}
