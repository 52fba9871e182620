import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { type CredentialPlace, Credentials, type Sealed } from './credentials.js';
import { RESEAL, SEALED_WITH_FORMER_KEY } from './credentials.sql.js';

const EVERY_MS = 10 * 60_000;
const BATCH = 100;

type Row = CredentialPlace & Pick<Sealed, 'dataKey'>;

/**
 * Encrypts data keys with the newest key, so that an operator can remove former keys. Repeated, because during a rolling restart some
 * processes still encrypt with the former key. Every replica may run it: a record that another process changed is left unchanged.
 */
@Injectable()
export class ResealSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly credentials: Credentials,
  ) {
    super(EVERY_MS);
  }

  protected override async work(): Promise<void> {
    const { resealed, unreadable } = await this.sweep();
    if (resealed > 0) this.logger.log(`${resealed} credentials were encrypted with the newest key.`);
    if (unreadable > 0)
      this.logger.warn(
        `${unreadable} credentials cannot be decrypted with the configured keys. Add the former key to GATEWAY_ENCRYPTION_KEYS.`,
      );
  }

  async sweep(): Promise<{ resealed: number; unreadable: number }> {
    let [resealed, unreadable] = [0, 0];
    let after: string | null = null;
    for (;;) {
      const values = [this.credentials.keyPrefix, after, BATCH];
      const rows: Row[] = await this.database.query<Row>(SEALED_WITH_FORMER_KEY, values);
      for (const row of rows) {
        const dataKey = this.credentials.reseal(row);
        if (dataKey === null) unreadable += 1;
        else resealed += (await this.database.query(RESEAL, [row.id, row.dataKey, dataKey])).length;
      }
      after = rows.at(-1)?.id ?? null;
      if (rows.length < BATCH || this.isStopping) return { resealed, unreadable };
    }
  }
}
