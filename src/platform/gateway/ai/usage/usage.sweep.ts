import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { SWEEP } from './ledger/settle.sql.js';
import { UsageRollups } from './rollups/usage-rollups.js';
import { SpendMetrics } from './spend/spend.metrics.js';
import { UsageConfig } from './usage.config.js';

const EVERY_MS = 60_000;
/** Longer than any call: a swept reservation whose call still runs is corrected by it. */
const SWEPT_AFTER_MS = 15 * 60_000;
const SWEPT_AT_ONCE = 500;
const DELETED_AT_ONCE = 5_000;

/**
 * Settles reservations whose process ended before it settled them. Every replica runs it: rows that another one settles are skipped.
 */
@Injectable()
export class UsageSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly rollups: UsageRollups,
    private readonly config: UsageConfig,
    private readonly metrics: SpendMetrics,
  ) {
    super(EVERY_MS);
  }

  protected override async work(): Promise<void> {
    await this.sweep();
    await this.deleteOld();
  }

  /** @returns the number of settled reservations */
  async sweep(minimumAgeMs = SWEPT_AFTER_MS): Promise<number> {
    const settled = await this.inBatches(SWEPT_AT_ONCE, async () => {
      const rows = await this.database.query(SWEEP, [minimumAgeMs, SWEPT_AT_ONCE]);
      return rows.length;
    });
    this.metrics.swept.inc(settled);
    if (settled > 0)
      this.logger.warn({ settled }, 'Reservations of spend without a settlement are settled as unknown.');
    return settled;
  }

  /** Rows of months that are older than the retention; their rollups stay. @returns how many */
  deleteOld(): Promise<number> {
    return this.inBatches(DELETED_AT_ONCE, () =>
      this.rollups.deleteOld(this.config.retentionDays, DELETED_AT_ONCE),
    );
  }
}
