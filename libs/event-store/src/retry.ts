import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#libs/database';
import { StreamHasMoved } from './event-store.errors.js';

/** Maximum tries of a change before its conflict is thrown. */
export const MAX_TRIES = 10;

/** Random delay that grows with each try, at most 60 ms: prevents writers of one stream from retrying in lockstep. */
export async function jitter(tried: number): Promise<void> {
  await sleep(Math.random() * Math.min(60, 2 ** tried));
}

/**
 * Repeats work that opens its own transaction after a conflict. Inside a running transaction it runs once: the code that
 * opened that transaction repeats it.
 * @param tries at least 1, the first included
 * @throws StreamHasMoved after the last try
 */
export async function retryOnConflict<T>(
  database: Database,
  work: () => Promise<T>,
  tries = MAX_TRIES,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StreamHasMoved) || tried >= tries || database.isInTransaction) throw error;
      await jitter(tried);
    }
  }
}
