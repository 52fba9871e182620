import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { SWEEP_LEASES } from './import-session.js';
import { SWEEP_LEFTOVERS } from './staging.statements.js';

/** Long enough to correct a file after a holiday; short, because failed rows are personal data. */
export const RETENTION_DAYS = 14;
const BATCH_SIZE = 50;

const ERASE_OLD_ROWS = `
  WITH old AS (
    SELECT id FROM contacts.contact_import
    WHERE failed_rows_erased_at IS NULL AND created_at < now() - interval '${RETENTION_DAYS} days'
    ORDER BY created_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED),
  rows AS (DELETE FROM contacts.import_failed_row WHERE import_id IN (SELECT id FROM old))
  UPDATE contacts.contact_import AS i
  SET failed_rows_erased_at = now(),
      report = report || jsonb_build_object('failedRows', NULL, 'errors', '[]'::jsonb,
        'errorsTruncated', jsonb_array_length(report->'errors') > 0)
  FROM old WHERE i.id = old.id RETURNING i.id`;

/**
 * Erases the failed rows of imports, and the cells in their reports, after a few days. All replicas can run it
 * concurrently: locked rows are skipped, so no lease is needed.
 */
@Injectable()
export class FailedRowsSweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super(10 * 60_000);
  }

  protected override work(): Promise<number> {
    return this.inBatches(BATCH_SIZE, () => this.sweep());
  }

  async sweep(): Promise<number> {
    return (await this.database.query(ERASE_OLD_ROWS)).length;
  }
}

/** Deletes staged rows of imports whose process died. Replicas can run it concurrently: each deletes the rest. */
@Injectable()
export class StagedRowsSweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super(60_000);
  }

  async sweep(): Promise<void> {
    await this.database.query(SWEEP_LEFTOVERS);
    await this.database.query(SWEEP_LEASES);
  }
}
