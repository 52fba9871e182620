/** Ids of X are 64-bit numbers in decimal (docs.x.com, "X IDs"). */
const ID = /^[0-9]{1,25}$/;
/** X's longest window (docs.x.com, "Rate limits"). A later reset is an error of the network and is ignored. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** An id of a post or an account; null for anything else. */
export function idIn(value: unknown): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}

/**
 * Milliseconds until the limit ends: to `x-rate-limit-reset` in epoch seconds where it is ahead, else `retry-after` in seconds
 * (docs.x.com, "Rate limits").
 * @param now only for a response without `Date`: X's instants are compared with X's own clock.
 */
export function waitIn(headers: Readonly<Record<string, string | undefined>>, now: Date): number | null {
  const answeredAt = Date.parse(headers.date ?? '') || now.getTime();
  const reset = Number(headers['x-rate-limit-reset']) * 1000 - answeredAt;
  const wait = Number(headers['retry-after']) * 1000;
  return [reset, wait].find((milliseconds) => milliseconds > 0 && milliseconds <= LONGEST_WAIT_MS) ?? null;
}
