import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { DELETE_OLD_UPLOADS } from './uploads.store.js';
import { DELETE_OLD, SETTLE_ABANDONED } from './quota/quota.sql.js';

const EVERY_MS = 5 * 60 * 1000;

/** Settles abandoned reservations and deletes old rows. Every replica runs it: repeated passes have no effect. */
@Injectable()
export class ExpirySweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    for (const sql of [SETTLE_ABANDONED, DELETE_OLD_UPLOADS, ...DELETE_OLD])
      if (!this.isStopping) await this.database.query(sql);
  }
}
