import { setTimeout as sleep } from 'node:timers/promises';

/** Tries of a change before its conflict is told to the caller. */
export const TRIES = 10;

/** Waits a random moment, longer with each try (at most 60 ms), so that writers of one stream do not march in step. */
export async function jitter(tried: number): Promise<void> {
  await sleep(Math.random() * Math.min(60, 2 ** tried));
}
