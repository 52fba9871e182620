import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { FORGET_NETWORKS } from './login/familiar-networks.js';
import { SWEEP_INVITATIONS } from './invitations/invitations.sql.js';
import { SWEEP } from './sessions/sessions.sql.js';

const EVERY_MS = 10 * 60 * 1000;

/** Removes what is long over. Any replica may, at any time: what one has removed, the next does not find. */
@Injectable()
export class Sweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  async sweep(): Promise<void> {
    for (const sql of [...SWEEP, SWEEP_INVITATIONS, FORGET_NETWORKS])
      if (!this.isStopping) await this.database.query(sql);
  }
}
