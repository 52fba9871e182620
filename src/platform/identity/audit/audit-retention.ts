import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { Leases, PeriodicSweep } from '#libs/due-work';
import { IdentityConfig } from '../identity.config.js';

const EVERY_MS = 60 * 60 * 1000;
const LEASE_MS = 5 * 60 * 1000;
const LEASE_KEY = 'sweep:identity-audit';
const ROWS_PER_PASS = 5_000;

/** The trigger allows deletes only with this setting, which ends with the transaction. */
const ALLOW = `SELECT set_config('identity.audit_retention', 'on', true)`;

/** $1 days, $2 rows. */
const DELETE = `
  DELETE FROM identity.audit_event WHERE id IN (
    SELECT id FROM identity.audit_event
     WHERE address IS NOT NULL AND at < now() - $1::int * interval '1 day' ORDER BY at LIMIT $2)
  RETURNING id`;

/** Deletes audit events with an address after the retention period. A lease limits it to one replica at a time. */
@Injectable()
export class AuditRetention extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly config: IdentityConfig,
  ) {
    super(EVERY_MS);
  }

  /** @returns whether this replica had the lease. */
  async sweep(): Promise<boolean> {
    const had = await this.leases.whileHeld(this.database, LEASE_KEY, LEASE_MS, async (lost) => {
      while (!this.isStopping && !lost.aborted && (await this.deleteSome()) === ROWS_PER_PASS);
      return true;
    });
    return had ?? false;
  }

  private deleteSome(): Promise<number> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(ALLOW);
      return (await transaction.query(DELETE, [this.config.auditRetentionDays, ROWS_PER_PASS])).length;
    });
  }
}
