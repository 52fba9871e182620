import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { SWEEP_LEASES } from '../import/lease.statements.js';
import { SWEEP_LEFTOVERS } from '../import/staging.statements.js';

const EVERY_MS = 60_000;

/** Deletes staged rows of imports whose process died. Replicas can run it concurrently: each deletes the rest. */
@Injectable()
export class StagedRowsSweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  private async sweep(): Promise<void> {
    await this.database.query(SWEEP_LEFTOVERS);
    await this.database.query(SWEEP_LEASES);
  }
}
