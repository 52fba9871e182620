import { Mutex } from 'async-mutex';

/**
 * A mutex per key within this process. Between processes the locks of the database decide; this one keeps callers that would
 * wait for such a lock from holding a connection each.
 */
export class KeyedMutex {
  private readonly held = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** Runs `work` once all earlier work of the same key has ended, in either way. @throws what the work throws */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.held.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.held.set(key, entry);
    entry.users += 1;
    try {
      return await entry.mutex.runExclusive(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.held.delete(key);
    }
  }

  /** How many keys are in use; idle ones take no memory. */
  get size(): number {
    return this.held.size;
  }
}
