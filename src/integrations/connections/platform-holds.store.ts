import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FailureReport, Instant, Platform } from '#libs/content';
import { Database, statement, type Transaction } from '#libs/database';

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
const CLOSED = `failed_accounts = '{}', open_since = NULL, probe_at = NULL, probes = 0, closed_at = clock_timestamp()`;
const IS_REFUSAL = `open_since IS NOT NULL AND failure->>'class' = 'configuration'`;
const REFUSALS = statement(
  'integrations_refusing_platforms',
  `SELECT platform, open_since AS since, failure, failed_at > now() - make_interval(secs => $1) AS "isRecent"
   FROM integrations.network_outage WHERE ${IS_REFUSAL}`,
);
const END = statement(
  'integrations_end_platform_hold',
  `WITH hold AS (
     DELETE FROM integrations.platform_hold WHERE platform = $1 AND until > now() RETURNING reason, until
   ), refusal AS (
     UPDATE integrations.network_outage SET ${CLOSED} WHERE platform = $1 AND ${IS_REFUSAL} RETURNING failure->>'code' AS reason
   )
   SELECT reason, until FROM hold UNION ALL SELECT reason, NULL FROM refusal`,
);
const SET_UP = statement(
  'integrations_provider_setup',
  `WITH changed AS (
     INSERT INTO integrations.provider_setup AS known (platform, setup_hash) VALUES ($1, $2)
     ON CONFLICT (platform) DO UPDATE SET setup_hash = excluded.setup_hash WHERE known.setup_hash <> excluded.setup_hash
     RETURNING platform
   ), closed AS (
     UPDATE integrations.network_outage SET ${CLOSED} WHERE platform IN (SELECT platform FROM changed) AND ${IS_REFUSAL}
   )
   DELETE FROM integrations.platform_hold WHERE platform IN (SELECT platform FROM changed)`,
);

/**
 * After a network refused this service itself: no account of it can be connected, and an account waits whose token cannot be renewed
 * because of that.
 */
export const CONFIGURATION_HOLD_SECONDS = 900;

/** Reason of the hold of an account or network whose calls in this window are used up. The network accepts this service. */
export const RATE_LIMIT_REACHED = 'rate_limit_reached';

/** A network refuses this service itself: an operator has to act. */
export interface PlatformRefusal {
  readonly since: Instant;
  readonly failure: FailureReport;
  /** Within CONFIGURATION_HOLD_SECONDS. */
  readonly isRecent: boolean;
}

export interface PlatformHold {
  readonly reason: string;
  /** null: when the network accepts this service again. */
  readonly until: Instant | null;
}

/**
 * Networks that refused a sign-in or a renewal of this service itself: until the hold ends, no replica sends to them or connects an
 * account. And networks whose limit for this service is reached: no replica sends to them. What refuses posts is in `NetworkOutages`.
 */
@Injectable()
export class PlatformHolds {
  constructor(private readonly database: Database) {}

  /** By what posts found out. */
  async refusals(): Promise<ReadonlyMap<string, PlatformRefusal>> {
    type Row = Omit<PlatformRefusal, 'since'> & { readonly platform: string; readonly since: Date };
    const rows = await this.database.query<Row>(REFUSALS, [CONFIGURATION_HOLD_SECONDS]);
    return new Map(
      rows.map(({ platform, since, ...row }) => [platform, { ...row, since: since.toISOString() }]),
    );
  }

  /** Networks that refused a sign-in or a renewal. */
  async held(): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ platform: string }>(HELD, [RATE_LIMIT_REACHED]);
    return new Set(rows.map(({ platform }) => platform));
  }

  /** Never throws: the running call has its outcome whether or not the hold is stored. @param reason stable, snake_case */
  async hold(platform: string, reason: string): Promise<void> {
    await this.database.query(HOLD, [platform, CONFIGURATION_HOLD_SECONDS, reason]).catch(() => undefined);
  }

  /** A hold for another reason stays. @returns the end of this hold, by the database's clock */
  async holdFor(platform: string, milliseconds: number, reason: string): Promise<Instant> {
    const [held] = await this.database.query<{ until: Date }>(HOLD_FOR, [platform, milliseconds, reason]);
    return (held as { until: Date }).until.toISOString();
  }

  /** After a call that succeeded. Does not end a hold for another reason. */
  async release(platform: string, reason: string): Promise<void> {
    await this.database.query(RELEASE, [platform, reason]);
  }

  /** Ends the holds whatever their reason, a concurrent one too, or it begins afterwards. @returns the holds that ended */
  async end(transaction: Transaction, platform: Platform): Promise<PlatformHold[]> {
    const rows = await transaction.query<{ reason: string; until: Date | null }>(END, [platform]);
    return rows.map(({ reason, until }) => ({ reason, until: until?.toISOString() ?? null }));
  }

  /** Ends holds that were placed under other credentials. @param setup address and credentials; stored as a hash only */
  async startAs(platform: Platform, setup: string): Promise<void> {
    await this.database.query(SET_UP, [platform, createHash('sha256').update(setup).digest()]);
  }
}
