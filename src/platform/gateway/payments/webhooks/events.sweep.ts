import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { PaymentsConfig } from '../payments.config.js';
import { EventsStore } from './events.store.js';

const EVERY_MS = 10 * 60_000;
const ADOPT_EVERY_MS = 5_000;
const BATCH = 1_000;

/** $1 days, $2 count. Events that wait are kept. */
const deleteOld = (states: string): string => `
  DELETE FROM gateway.payment_event
   WHERE id IN (SELECT id FROM gateway.payment_event
                 WHERE ${states} AND received_at < now() - $1 * interval '1 day'
                 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING id`;
const DELETE_OLD = deleteOld(`state IN ('delivered', 'unknown')`);
/** They need a person, so that they are kept longer. */
const DELETE_DEAD = deleteOld(`state = 'dead'`);

/** Adopts events whose owner is known by now. A sweep of its own: a long deletion must not delay what is relayed. */
@Injectable()
export class EventAdoptionSweep extends PeriodicSweep {
  constructor(private readonly events: EventsStore) {
    super(ADOPT_EVERY_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    void this.tick();
  }

  sweep(): Promise<number> {
    return this.events.adopt();
  }
}

/** Deletes old events. Every replica runs it: repeated passes have no effect. */
@Injectable()
export class EventsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    const { eventDays, undeliveredEventDays } = this.config;
    await this.delete(DELETE_OLD, eventDays);
    await this.delete(DELETE_DEAD, undeliveredEventDays);
  }

  private async delete(sql: string, days: number): Promise<void> {
    await this.inBatches(BATCH, async () => (await this.database.query(sql, [days, BATCH])).length);
  }
}
