import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { ModelSync, ModelSyncIsRunning } from './model-sync.js';
import { RetirementAlarms } from './retirement-alarms.js';
import { ModelSyncConfig } from './sync.config.js';

const EVERY_MS = 60_000;

/** A row: a source that is read at run time was attempted recently. $1 minutes */
const IS_RECENT = statement(
  'gateway_model_sync_is_recent',
  `SELECT FROM gateway.catalog_source
    WHERE version IS NULL AND attempted_at > now() - make_interval(mins => $1::int) LIMIT 1`,
);

/** Reads the sources of the model catalog from time to time, and warns of retirements. Every replica runs it; one reads. */
@Injectable()
export class ModelSyncSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly sync: ModelSync,
    private readonly alarms: RetirementAlarms,
    private readonly config: ModelSyncConfig,
  ) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    const [recent] = await this.database.query<object>(IS_RECENT, [this.config.everyMinutes]);
    if (!recent) await this.read();
    await this.alarms.raise();
  }

  private async read(): Promise<void> {
    try {
      await this.sync.run();
    } catch (error) {
      if (!(error instanceof ModelSyncIsRunning)) throw error;
    }
  }
}
