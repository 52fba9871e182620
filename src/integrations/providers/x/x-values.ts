import { retryAfterIn } from '#libs/outbound-http';
import { textLike } from '../values.js';
/** Ids of X are 64-bit numbers in decimal (docs.x.com, "X IDs"). */
const ID = /^[0-9]{1,25}$/;
/** X's longest window (docs.x.com, "Rate limits"). A later reset is an error of the network and is ignored. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** An id of a post or an account; null for anything else. */
export const idIn = (value: unknown): string | null => textLike(ID, value);

/** Prefixes of the headers of its windows: of the endpoint, of the account in a day, of this service in a day. */
const WINDOWS = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour'];

/**
 * Milliseconds until the limit ends: until the reset (epoch seconds) of the windows that are used up, else `retry-after` (docs.x.com,
 * "Rate limits"). A window that does not say what is left of it counts as used up.
 * @param now only for a response without `Date`: X's instants are compared with X's own clock.
 */
export function waitIn(headers: Readonly<Record<string, string | undefined>>, now: Date): number | null {
  const answeredAt = Date.parse(headers.date ?? '') || now.getTime();
  const isWait = (milliseconds: number) => milliseconds > 0 && milliseconds <= LONGEST_WAIT_MS;
  const resets = WINDOWS.filter((window) => Number(headers[`${window}-remaining`] ?? 0) === 0)
    .map((window) => Number(headers[`${window}-reset`]) * 1000 - answeredAt)
    .filter(isWait);
  if (resets.length > 0) return Math.max(...resets);
  const asked = retryAfterIn(headers) ?? 0;
  return isWait(asked) ? asked : null;
}
