import { type Database, statement, type Transaction } from '#libs/database';
import type { Cursor } from '../domain-event.js';

const UNTIL = (milliseconds: string) =>
  `clock_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`;

const REGISTER = statement(
  'events_reaction_register',
  'INSERT INTO events.reaction (name) VALUES ($1) ON CONFLICT (name) DO NOTHING',
);

const RESUME = statement(
  'events_reaction_resume',
  `UPDATE events.reaction SET state = 'running', error = NULL, updated_at = clock_timestamp()
   WHERE name = $1 AND state = 'stopped'`,
);

/**
 * $1 name, $2 owner, $3 milliseconds, $4 and $5 cursor of the event that this replica cannot read, or null: it claims the
 * reaction again after another replica has handled that event.
 */
const CLAIM = statement(
  'events_reaction_claim',
  `UPDATE events.reaction SET owner = $2::uuid, lease_until = ${UNTIL('$3')}, fence = fence + 1,
     updated_at = clock_timestamp()
   WHERE name = $1 AND state = 'running' AND (lease_until <= clock_timestamp() OR owner = $2::uuid)
     AND ($4::xid8 IS NULL OR (cursor_transaction_id, cursor_position) >= ($4::xid8, $5::bigint))
   RETURNING fence, cursor_transaction_id::text AS "transactionId", cursor_position::text AS position`,
);

/** $1 name, $2 fence, $3 milliseconds. */
const RENEW = statement(
  'events_reaction_renew',
  `UPDATE events.reaction SET lease_until = ${UNTIL('$3')} WHERE name = $1 AND fence = $2::bigint RETURNING 1`,
);

/**
 * $1 name, $2 fence, $3 search_path. The lock allows another replica to take over (the checkpoint is then refused), but a
 * replacement of the rows waits for this batch, and this batch for a replacement.
 */
const BEGIN_BATCH = statement(
  'events_reaction_begin_batch',
  `SELECT set_config('search_path', $3, true)
   FROM (SELECT FROM events.reaction WHERE name = $1 AND fence = $2::bigint FOR KEY SHARE) AS mine`,
);

/** $1 name, $2 fence, $3 and $4 cursor, $5 milliseconds. */
const CHECKPOINT = statement(
  'events_reaction_checkpoint',
  `UPDATE events.reaction SET cursor_transaction_id = $3::xid8, cursor_position = $4::bigint,
     lease_until = ${UNTIL('$5')}, updated_at = clock_timestamp()
   WHERE name = $1 AND fence = $2::bigint RETURNING 1`,
);

/** $1 name, $2 fence, $3 error text. */
const STOP = statement(
  'events_reaction_stop',
  `UPDATE events.reaction SET state = 'stopped', error = $3, lease_until = '-infinity', updated_at = clock_timestamp()
   WHERE name = $1 AND fence = $2::bigint`,
);

/** $1 name, $2 fence, $3 and $4 cursor of the event, $5 error text. */
const YIELD = statement(
  'events_reaction_yield',
  `UPDATE events.reaction SET lease_until = '-infinity', unreadable = $5, updated_at = clock_timestamp(),
     unreadable_since = CASE
       WHEN (unreadable_transaction_id, unreadable_position) IS NOT DISTINCT FROM ($3::xid8, $4::bigint)
       THEN unreadable_since ELSE clock_timestamp() END,
     unreadable_transaction_id = $3::xid8, unreadable_position = $4::bigint
   WHERE name = $1 AND fence = $2::bigint AND state = 'running'`,
);

const RELEASE = statement(
  'events_reaction_release',
  `UPDATE events.reaction SET lease_until = '-infinity' WHERE name = $1 AND fence = $2::bigint AND state = 'running'`,
);

/** Another replica has taken over; the batch of this one must be rolled back. */
export class LeaseIsLost extends Error {
  constructor(reaction: string) {
    super(`Another replica took over ${reaction}.`);
    this.name = 'LeaseIsLost';
  }
}

/** A claim on one reaction, valid while its fence is the newest. */
export interface CheckpointClaim {
  readonly fence: string;
  readonly cursor: Cursor;
}

/** The stored row of a reaction: cursor, lease and state. */
export class Checkpoint {
  constructor(
    private readonly database: Database,
    private readonly name: string,
    private readonly owner: string,
    private readonly leaseMs: number,
  ) {}

  /** Inserts the row if it is missing, and resumes a stopped reaction. */
  async register(): Promise<void> {
    await this.database.query(REGISTER, [this.name]);
    await this.database.query(RESUME, [this.name]);
  }

  /**
   * @param unreadable cursor of the event that this replica cannot read
   * @returns undefined while another replica holds it, it is stopped, or its cursor is before that event
   */
  async claim(unreadable?: Cursor): Promise<CheckpointClaim | undefined> {
    const [row] = await this.database.query<Cursor & { fence: string }>(CLAIM, [
      this.name,
      this.owner,
      this.leaseMs,
      unreadable?.transactionId ?? null,
      unreadable?.position ?? null,
    ]);
    return row && { fence: row.fence, cursor: { transactionId: row.transactionId, position: row.position } };
  }

  /** @throws LeaseIsLost */
  async renew(fence: string): Promise<void> {
    this.requireFence(await this.database.query(RENEW, [this.name, fence, this.leaseMs]));
  }

  /** @throws LeaseIsLost */
  async begin(transaction: Transaction, fence: string, searchPath: string): Promise<void> {
    this.requireFence(await transaction.query(BEGIN_BATCH, [this.name, fence, searchPath]));
  }

  /** @throws LeaseIsLost */
  async advance(transaction: Transaction, fence: string, to: Cursor): Promise<void> {
    const values = [this.name, fence, to.transactionId, to.position, this.leaseMs];
    this.requireFence(await transaction.query(CHECKPOINT, values));
  }

  async stop(fence: string, error: string): Promise<void> {
    await this.database.query(STOP, [this.name, fence, error]);
  }

  /** Leaves the reaction to replicas that can read the event. */
  async yield(fence: string, at: Cursor, reason: string): Promise<void> {
    await this.database.query(YIELD, [this.name, fence, at.transactionId, at.position, reason]);
  }

  async release(fence: string): Promise<void> {
    await this.database.query(RELEASE, [this.name, fence]);
  }

  private requireFence(rows: readonly object[]): void {
    if (rows.length === 0) throw new LeaseIsLost(this.name);
  }
}
