import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#libs/database';
import { StreamHasMoved } from './event-store.errors.js';

/** Tries of a change before its conflict is told to the caller. */
export const TRIES = 10;

/** Waits a random moment, longer with each try (at most 60 ms), so that writers of one stream do not march in step. */
export async function jitter(tried: number): Promise<void> {
  await sleep(Math.random() * Math.min(60, 2 ** tried));
}

/**
 * Repeats work that opens a transaction of its own when another writer was faster. Inside a running transaction it runs once:
 * who opened that one repeats it.
 * @param tries at least 1, the first included
 * @throws StreamHasMoved after so many tries
 */
export async function repeatedly<T>(database: Database, work: () => Promise<T>, tries = TRIES): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StreamHasMoved) || tried >= tries || database.isInTransaction) throw error;
      await jitter(tried);
    }
  }
}
