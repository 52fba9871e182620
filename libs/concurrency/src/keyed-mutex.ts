import { Mutex, withTimeout } from 'async-mutex';

/** How long work may wait before it begins. */
interface WaitingTime {
  readonly maxMs: number;
  /** Makes the error for work that waited longer. */
  readonly refusal: () => Error;
}

/**
 * A mutex per key within this process. Database locks exclude other processes; the mutex only prevents waiting callers from
 * holding a connection each.
 */
export class KeyedMutex {
  private readonly entries = new Map<string, { readonly mutex: Mutex; users: number }>();

  /**
   * Runs `work` after all earlier work of the key has settled.
   * @param waiting by default work waits without a limit. @throws the error of `work`; `refusal` before it begins
   */
  async runExclusive<T>(key: string, work: () => Promise<T>, waiting?: WaitingTime): Promise<T> {
    const entry = this.entries.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.entries.set(key, entry);
    entry.users += 1;
    try {
      const { mutex } = entry;
      const turns = waiting ? withTimeout(mutex, waiting.maxMs, waiting.refusal()) : mutex;
      return await turns.runExclusive(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.entries.delete(key);
    }
  }

  /** Number of keys in use. Idle keys use no memory. */
  get size(): number {
    return this.entries.size;
  }
}
