import { setTimeout as wait } from 'node:timers/promises';
import { isTransient, isUniqueViolation } from './database.errors.js';

/** Waits before repetitions, in milliseconds. */
export const WAITS_MS = {
  /** While a caller waits for the outcome alone. */
  brief: [50, 250, 1_000],
  /** They outlast a failover. */
  long: [50, 250, 1_000, 2_000, 4_000, 8_000, 16_000],
} as const;

/**
 * Repeats a write while only the state of the database makes it fail, or its answer is lost. A repetition must find what an earlier
 * try stored, by an id that was made before.
 * @param waitsMs before each repetition, in milliseconds @throws the error of the last try
 */
export async function repeated<T>(write: () => Promise<T>, waitsMs: readonly number[]): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const waitMs = waitsMs[tries];
      // The statement whose answer was lost can still be running: then its rows appear while this one runs.
      const canRepeat = isTransient(error) || (tries > 0 && isUniqueViolation(error));
      if (!canRepeat || waitMs === undefined) throw error;
      await wait(waitMs);
    }
  }
}
