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
const RELEASE = statement(
  'integrations_release_platform',
  'DELETE FROM integrations.platform_hold WHERE platform = $1 AND reason = $2',
);
const HELD = statement(
  'integrations_held_platforms',
  'SELECT platform FROM integrations.platform_hold WHERE until > now()',
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

export interface PlatformHold {
  readonly reason: string;
  readonly until: Instant;
}

/**
 * Networks that refuse this service itself. Until the hold ends, no replica sends to them or connects an account.
 */
@Injectable()
export class PlatformHolds {
  constructor(
    private readonly database: Database,
    private readonly config: PlatformHoldConfig,
  ) {}

  async held(): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ platform: string }>(HELD);
    return new Set(rows.map(({ platform }) => platform));
  }

  /** Never throws: the running call has its outcome whether or not the hold is stored. @param reason stable, snake_case */
  async hold(platform: string, reason: string): Promise<void> {
    const seconds = this.config.seconds;
    await this.database.query(HOLD, [platform, seconds, reason]).catch(() => undefined);
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
