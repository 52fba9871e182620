import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { ACQUIRE, HELD_NOW, RELEASE, RENEW } from './lease.statements.js';

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
