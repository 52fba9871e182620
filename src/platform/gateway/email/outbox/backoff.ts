/** Doubles from the first delay up to an hour. */
const LONGEST_MS = 60 * 60_000;
/** Of a wait that a provider asks for. */
const LONGEST_ASKED_MS = 24 * 60 * 60_000;

export interface Retries {
  readonly firstDelayMs: number;
  /** After that time since the message was accepted, recipients that are still queued are refused. */
  readonly giveUpAfterMs: number;
}

/**
 * Milliseconds until the next attempt, with jitter of a fifth.
 * @param attempts ended ones, this one included. @param askedMs what the provider asks to wait
 */
export function delayAfter(
  attempts: number,
  { firstDelayMs }: Retries,
  askedMs = 0,
  random = Math.random,
): number {
  const doubled = Math.min(LONGEST_MS, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
  return Math.max(doubled * (0.9 + 0.2 * random()), Math.min(askedMs, LONGEST_ASKED_MS));
}

export const isTooOld = (createdAt: Date, now: Date, { giveUpAfterMs }: Retries): boolean =>
  now.getTime() - createdAt.getTime() >= giveUpAfterMs;
