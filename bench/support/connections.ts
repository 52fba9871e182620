import { loadConfig } from '#libs/config';
import type { Database } from '#libs/database';
import { EncryptionConfig } from '../../src/integrations/encryption/encryption.config.js';
import { SecretBox } from '../../src/integrations/encryption/secret-box.js';
import { TokensStore } from '../../src/integrations/tokens/tokens.store.js';
import type { OutsideAccount } from './outside-world.js';

/** One connected account of a brand. */
export interface ConnectedAccount {
  readonly brandId: string;
  readonly userId: string;
  readonly connectionId: string;
  readonly platform: string;
  readonly account: OutsideAccount;
}

/** Rows as a completed sign-in leaves them. @param encryptionKeys as in ENCRYPTION_KEYS */
export async function insertConnections(
  database: Database,
  encryptionKeys: string,
  connected: readonly ConnectedAccount[],
): Promise<void> {
  const box = new SecretBox(loadConfig(EncryptionConfig, { ENCRYPTION_KEYS: encryptionKeys }));
  const tokens = new TokensStore(database, box);
  const encrypted = connected.map(({ connectionId, account }) => tokens.encrypted(connectionId, account));
  await database.query(
    `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes,
       pages, groups, state, access_token, refresh_token, facts_due_at)
     SELECT id, brand_id, user_id, platform, account_id, username, username, '{}', '[]', '[]', 'active', access, refresh,
       now() + interval '1 day'
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       AS new (id, brand_id, user_id, platform, account_id, username, access, refresh)`,
    [
      connected.map(({ connectionId }) => connectionId),
      connected.map(({ brandId }) => brandId),
      connected.map(({ userId }) => userId),
      connected.map(({ platform }) => platform),
      connected.map(({ account }) => account.id),
      connected.map(({ account }) => account.username),
      encrypted.map(({ access }) => access),
      encrypted.map(({ refresh }) => refresh),
    ],
  );
}
