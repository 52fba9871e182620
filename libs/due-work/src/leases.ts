import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type Executor, statement } from '#libs/database';
import { whileRenewed } from './claim.js';

const UNTIL = `clock_timestamp() + $3::float8 * interval '1 millisecond'`;

/** $1 keys, $2 owner, $3 milliseconds. Locks in key order, so that two claims never deadlock. */
const ACQUIRE = statement(
  'due_work_acquire',
  `INSERT INTO due_work.lease AS lease (key, owner, until, fence)
   SELECT key, $2::uuid, ${UNTIL}, nextval('due_work.fence')
   FROM (SELECT DISTINCT unnest($1::text[]) AS key ORDER BY key) AS wanted
   ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until, fence = excluded.fence
   WHERE lease.until <= clock_timestamp()
   RETURNING key, fence`,
);

/** The keys of $1 that still have the fences $2, locked in key order like ACQUIRE. */
const HELD = `ARRAY(
    SELECT lease.key FROM due_work.lease
    JOIN unnest($1::text[], $2::bigint[]) AS held (key, fence) ON lease.key = held.key AND lease.fence = held.fence
    ORDER BY lease.key FOR UPDATE OF lease)`;

/** $1 keys, $2 fences, $3 milliseconds. An expired lease stays with its holder until another process acquires it. */
const RENEW = statement(
  'due_work_renew',
  `UPDATE due_work.lease SET until = ${UNTIL} WHERE key = ANY (${HELD}) RETURNING key`,
);

/** $1 keys, $2 fences. */
const RELEASE = statement('due_work_release', `DELETE FROM due_work.lease WHERE key = ANY (${HELD})`);

/** $1 keys. Returns those that any process holds now. */
const HELD_NOW = statement(
  'due_work_held',
  'SELECT key FROM due_work.lease WHERE key = ANY ($1::text[]) AND until > clock_timestamp()',
);

/** Fencing token. Grows with every acquisition of any key; an older one belongs to a lost lease. */
export type Fence = string;

/** The leases of a worker: key to fence. */
export type HeldLeases = ReadonlyMap<string, Fence>;

/** One acquisition of one key. A second acquisition of the key is another lease, even by the same process. */
export interface Lease {
  readonly key: string;
  readonly fence: Fence;
}

/**
 * Exclusive claims on keys (`account:…`, `sweep:tokens`), each for a limited time by the database's clock. Any process
 * may acquire an expired lease; its former holder detects that by the fence. The row of a dead process stays until the key
 * is acquired again.
 */
@Injectable()
export class Leases {
  private readonly logger = new Logger(Leases.name);
  /** Stored for operators: the process that holds the lease. */
  readonly owner = randomUUID();

  /**
   * Acquires those of `keys` that are free or expired. The result omits held keys, those of this process included. One
   * statement; waits only for transactions that acquire or renew the same key.
   */
  async acquire(
    executor: Executor,
    keys: readonly string[],
    ttlMs: number,
  ): Promise<ReadonlyMap<string, Fence>> {
    if (keys.length === 0) return new Map();
    const rows = await executor.query<{ key: string; fence: Fence }>(ACQUIRE, [keys, this.owner, ttlMs]);
    return new Map(rows.map((row) => [row.key, row.fence]));
  }

  /**
   * Those of `keys` that any process holds now, this one included. For planning only: `acquire` decides who holds a key.
   */
  async held(executor: Executor, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const rows = await executor.query<{ key: string }>(HELD_NOW, [keys]);
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * Runs `work` while this process has the lease of `key` and renews it. The result stays when the lease cannot be released.
   * @param work gets a signal that is aborted with ClaimIsLost when the lease is lost
   * @returns undefined, without `work`, when any process has it now
   */
  async whileHeld<T>(
    executor: Executor,
    key: string,
    ttlMs: number,
    work: (lost: AbortSignal, held: HeldLeases) => Promise<T>,
  ): Promise<T | undefined> {
    const held = await this.acquire(executor, [key], ttlMs);
    if (held.size === 0) return undefined;
    const renew = async () => (await this.renew(executor, held, ttlMs)).size > 0;
    try {
      return await whileRenewed({ leaseMs: ttlMs, renew }, (lost) => work(lost, held));
    } finally {
      await this.release(executor, held).catch((error: unknown) =>
        this.logger.warn(error, 'A lease could not be released. It ends with its time.'),
      );
    }
  }

  /** @returns the keys that are held for `ttlMs` from now. The caller must stop the work on all others. */
  async renew(executor: Executor, held: HeldLeases, ttlMs: number): Promise<ReadonlySet<string>> {
    if (held.size === 0) return new Set();
    const rows = await executor.query<{ key: string }>(RENEW, [[...held.keys()], [...held.values()], ttlMs]);
    return new Set(rows.map((row) => row.key));
  }

  /** Releases the leases that are still held; lost ones stay with their new holder. A key may occur with several fences. */
  async release(executor: Executor, held: Iterable<readonly [key: string, fence: Fence]>): Promise<void> {
    const leases = [...held];
    if (leases.length === 0) return;
    await executor.query(RELEASE, [leases.map(([key]) => key), leases.map(([, fence]) => fence)]);
  }
}
