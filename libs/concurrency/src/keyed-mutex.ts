import { Mutex } from 'async-mutex';

/**
 * A mutex per key within this process. Database locks exclude other processes; the mutex only prevents waiting callers from
 * holding a connection each.
 */
export class KeyedMutex {
  private readonly entries = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** Runs `work` after all earlier work of the key has settled. @throws the error of `work` */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.entries.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.entries.set(key, entry);
    entry.users += 1;
    try {
      return await entry.mutex.runExclusive(work);
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
