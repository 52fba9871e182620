import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { ACQUIRE, HELD_NOW, RELEASE, RENEW } from './lease.statements.js';

/** Grows with every acquisition of any key; who shows an older one has lost the lease since. */
export type Fence = string;

/** What a worker holds: key to fence. */
export type HeldLeases = ReadonlyMap<string, Fence>;

/** One acquisition of one key; another of the same key, by the same process too, is another lease. */
export interface Lease {
  readonly key: string;
  readonly fence: Fence;
}

/**
 * Exclusive claims on keys (`account:…`, `sweep:tokens`), each for a limited time by the database's clock, whatever
 * the clocks of the replicas say. A lease that ran out is anybody's; its former holder notices by the fence. What a process
 * that died held stays as a row until somebody wants the same key.
 */
@Injectable()
export class Leases {
  /** Written to the row so that a person sees which process works on what. */
  readonly owner = randomUUID();

  /**
   * Takes those of `keys` that are free or ran out; what somebody holds, this process included, is left out of
   * the answer. One statement; waits only for transactions that are taking or renewing the same key.
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
   * Those of `keys` that any process holds now, this one included: to plan around them. Only `acquire` decides who
   * holds a key.
   */
  async held(executor: Executor, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const rows = await executor.query<{ key: string }>(HELD_NOW, [keys]);
    return new Set(rows.map(({ key }) => key));
  }

  /** @returns the keys that are still held, from now for `ttlMs`; the work on any other must stop. */
  async renew(executor: Executor, held: HeldLeases, ttlMs: number): Promise<ReadonlySet<string>> {
    if (held.size === 0) return new Set();
    const rows = await executor.query<{ key: string }>(RENEW, [[...held.keys()], [...held.values()], ttlMs]);
    return new Set(rows.map((row) => row.key));
  }

  /** Gives back what is still held; what was lost since is left to its new holder. A key may come with several fences. */
  async release(executor: Executor, held: Iterable<readonly [key: string, fence: Fence]>): Promise<void> {
    const leases = [...held];
    if (leases.length === 0) return;
    await executor.query(RELEASE, [leases.map(([key]) => key), leases.map(([, fence]) => fence)]);
  }
}
