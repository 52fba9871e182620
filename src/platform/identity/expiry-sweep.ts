import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { DELETE_STALE_NETWORKS } from './accounts/limits/familiar-networks.js';
import { DELETE_OLD_INVITATIONS } from './organizations/invitations/invitations.sql.js';
import { DELETE_EXPIRED } from './accounts/sessions/sessions.sql.js';

const EVERY_MS = 10 * 60 * 1000;

/** Deletes expired rows. Every replica runs it without a lease, because repeated deletes have no effect. */
@Injectable()
export class ExpirySweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    for (const sql of [...DELETE_EXPIRED, DELETE_OLD_INVITATIONS, DELETE_STALE_NETWORKS])
      if (!this.isStopping) await this.database.query(sql);
  }
}
