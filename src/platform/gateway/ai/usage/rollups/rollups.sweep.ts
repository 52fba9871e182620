import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PeriodicSweep } from '#libs/due-work';
import { UsageRollups } from './usage-rollups.js';

const EVERY_MS = 5_000;

/** Counts settled attempts into the rollups. Every replica runs it: one counts at a time. */
@Injectable()
export class RollupsSweep extends PeriodicSweep {
  constructor(private readonly rollups: UsageRollups) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(async () => {
      while (!this.isStopping && (await this.rollups.advance()));
    });
  }
}
