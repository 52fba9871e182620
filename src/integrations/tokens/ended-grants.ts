import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { ConnectionLog } from '../connections/connection-log.js';
import type { StoredTokens } from './tokens.store.js';

const NEEDS_RECONNECT = statement(
  'integrations_needs_reconnect',
  `UPDATE integrations.connection SET state = 'reconnect-needed', token_version = token_version + 1, updated_at = now()
   WHERE id = $1 AND token_version = $2 RETURNING id`,
);

/** The tokens were replaced or erased during the call to the network: its response concerns no stored token. */
export class TokensHaveChanged extends Error {}

/** Grants that the network refuses permanently: the owner has to connect the account again. */
@Injectable()
export class EndedGrants {
  constructor(
    private readonly database: Database,
    private readonly log: ConnectionLog,
  ) {}

  /** @throws TokensHaveChanged: then nothing changes. */
  async mark({
    connectionId,
    brandId,
    platform,
    tokenVersion,
  }: Pick<StoredTokens, 'connectionId' | 'brandId' | 'platform' | 'tokenVersion'>): Promise<void> {
    const change = { type: 'ReconnectNeeded', connectionId, brandId, platform, changed: ['state'] } as const;
    await this.database.transaction(async (transaction) => {
      await this.log.appendOfSystem(transaction, change, 'token-refresh');
      const marked = await transaction.query(NEEDS_RECONNECT, [connectionId, tokenVersion]);
      if (marked.length === 0) throw new TokensHaveChanged();
    });
  }
}
