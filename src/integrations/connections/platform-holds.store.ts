import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Instant, Platform } from '#libs/content';
import { Database, statement } from '#libs/database';
import type { Transaction } from '#libs/database';
import { PlatformHoldConfig } from './platform-hold.config.js';

const HOLD = statement(
  'integrations_hold_platform',
  `INSERT INTO integrations.platform_hold (platform, until, reason)
   VALUES ($1, now() + make_interval(secs => $2), $3)
   ON CONFLICT (platform) DO UPDATE SET until = excluded.until, reason = excluded.reason`,
);
/** A hold for another reason lasts. */
const HOLD_FOR = statement(
  'integrations_hold_platform_for',
  `WITH hold AS (SELECT now() + $2::float8 * interval '1 millisecond' AS until), held AS (
     INSERT INTO integrations.platform_hold AS known (platform, until, reason) SELECT $1, hold.until, $3 FROM hold
     ON CONFLICT (platform) DO UPDATE SET until = excluded.until, reason = excluded.reason
     WHERE known.until <= now() OR known.reason = excluded.reason
   )
   SELECT until FROM hold`,
);
const RELEASE = statement(
  'integrations_release_platform',
  'DELETE FROM integrations.platform_hold WHERE platform = $1 AND reason = $2',
);
const HELD = statement(
  'integrations_held_platforms',
  'SELECT platform FROM integrations.platform_hold WHERE until > now() AND reason <> $1',
);
const END = statement(
  'integrations_end_platform_hold',
  'DELETE FROM integrations.platform_hold WHERE platform = $1 AND until > now() RETURNING reason, until',
);
const SET_UP = statement(
  'integrations_provider_setup',
  `WITH changed AS (
     INSERT INTO integrations.provider_setup AS known (platform, setup_hash) VALUES ($1, $2)
     ON CONFLICT (platform) DO UPDATE SET setup_hash = excluded.setup_hash WHERE known.setup_hash <> excluded.setup_hash
     RETURNING platform
   )
   DELETE FROM integrations.platform_hold WHERE platform IN (SELECT platform FROM changed)`,
);

/** Reason of the hold of an account or network whose calls in this window are used up. The network accepts this service. */
export const RATE_LIMIT_REACHED = 'rate_limit_reached';

export interface PlatformHold {
  readonly reason: string;
  readonly until: Instant;
}

/**
 * Networks that refuse this service itself: until the hold ends, no replica sends to them or connects an account. And networks whose
 * limit for this service is reached: no replica sends to them.
 */
@Injectable()
export class PlatformHolds {
  constructor(
    private readonly database: Database,
    private readonly config: PlatformHoldConfig,
  ) {}

  /** Networks that refuse this service. */
  async held(): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ platform: string }>(HELD, [RATE_LIMIT_REACHED]);
    return new Set(rows.map(({ platform }) => platform));
  }

  /** Never throws: the running call has its outcome whether or not the hold is stored. @param reason stable, snake_case */
  async hold(platform: string, reason: string): Promise<void> {
    const seconds = this.config.seconds;
    await this.database.query(HOLD, [platform, seconds, reason]).catch(() => undefined);
  }

  /**
   * Posts of the network wait. A hold for another reason stays.
   * @returns the end of this hold, by the database's clock
   */
  async holdFor(platform: string, milliseconds: number, reason: string): Promise<Instant> {
    const [held] = await this.database.query<{ until: Date }>(HOLD_FOR, [platform, milliseconds, reason]);
    return (held as { until: Date }).until.toISOString();
  }

  /** After a call that succeeded. Does not end a hold for another reason. */
  async release(platform: string, reason: string): Promise<void> {
    await this.database.query(RELEASE, [platform, reason]);
  }

  /**
   * Ends the hold whatever its reason. A concurrent hold is ended too, or begins afterwards.
   * @returns the hold that ended; null: there was none
   */
  async end(transaction: Transaction, platform: Platform): Promise<PlatformHold | null> {
    const [row] = await transaction.query<{ reason: string; until: Date }>(END, [platform]);
    return row ? { reason: row.reason, until: row.until.toISOString() } : null;
  }

  /** Ends a hold that was placed under other credentials. @param setup address and credentials; stored as a hash only */
  async startAs(platform: Platform, setup: string): Promise<void> {
    await this.database.query(SET_UP, [platform, createHash('sha256').update(setup).digest()]);
  }
}
