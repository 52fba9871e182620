import type { Database } from '#libs/database';
import type { BreakerReason } from '../plan/plan.js';
import type { CircuitStatements } from './breaker.sql.js';

export interface Counted {
  readonly reason: BreakerReason;
  readonly openMs: number;
  readonly hasProbeFailed: boolean;
  /** How long the provider serves no call, by its own word: no further failure is needed. null: it did not say. */
  readonly toldMs: number | null;
}

interface Pending extends Counted {
  readonly failures: number;
}

/** The stored state of one kind of breaker: of credentials, or of models with a credential. */
export class Circuits {
  /** Failures that the running statement for the key does not contain. */
  private readonly pending = new Map<string, Pending | null>();

  constructor(
    private readonly database: Database,
    private readonly sql: CircuitStatements,
  ) {}

  /** @returns the end of the probe's lease; null: another call has it, unless the breaker was closed in the meantime */
  async claim(
    key: readonly string[],
    milliseconds: number,
  ): Promise<{ readonly lease: string | null; readonly isClosed: boolean }> {
    const values = [...key, Math.ceil(milliseconds)];
    const [claim] = await this.database.query<{ lease: string | null; isClosed: boolean }>(
      this.sql.claim,
      values,
    );
    return claim ?? { lease: null, isClosed: true };
  }

  /** Another call may probe. Nothing when the lease is over. */
  async release(key: readonly string[], lease: string): Promise<void> {
    await this.database.query(this.sql.release, [...key, lease]);
  }

  async close(key: readonly string[]): Promise<void> {
    await this.database.query(this.sql.close, key);
  }

  /**
   * At most one statement per key and process at a time: failures that arrive meanwhile are counted by the next one.
   * @param opened called after each statement that leaves the breaker open
   */
  async count(
    key: readonly string[],
    counted: Counted,
    opened: (reason: BreakerReason) => void,
  ): Promise<void> {
    const name = key.join(' ');
    const failed = { ...counted, failures: 1 };
    const pending = this.pending.get(name);
    if (pending !== undefined) {
      this.pending.set(name, pending ? added(pending, failed) : failed);
      return;
    }
    let next: Pending | null | undefined = failed;
    try {
      while (next) {
        this.pending.set(name, null);
        if (await this.write(key, next)) opened(next.reason);
        next = this.pending.get(name);
      }
    } finally {
      this.pending.delete(name);
    }
  }

  private async write(key: readonly string[], counted: Pending): Promise<boolean> {
    const { failures, reason, openMs, hasProbeFailed } = counted;
    const toldMs = counted.toldMs === null ? null : Math.ceil(counted.toldMs);
    const values = [...key, failures, reason, Math.ceil(openMs), hasProbeFailed, toldMs];
    const [row] = await this.database.query<{ opens: boolean }>(this.sql.count, values);
    return row?.opens ?? false;
  }
}

const added = (one: Pending, other: Pending): Pending => ({
  failures: one.failures + other.failures,
  openMs: Math.max(one.openMs, other.openMs),
  reason: other.reason,
  hasProbeFailed: one.hasProbeFailed || other.hasProbeFailed,
  toldMs: longest(one.toldMs, other.toldMs),
});

const longest = (one: number | null, other: number | null): number | null =>
  one === null ? other : Math.max(one, other ?? 0);
