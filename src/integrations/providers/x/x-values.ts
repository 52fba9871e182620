import type { Instant } from '#libs/content';

/*
 * Values of X are stored and shown. A string that PostgreSQL refuses (NUL, half a surrogate pair) or that is too long must not pass
 * this boundary.
 */

/** Ids of X are 64-bit numbers in decimal (docs.x.com, "X IDs"). */
const ID = /^[0-9]{1,25}$/;
/** Control characters, halves of surrogate pairs, line ends and bidirectional controls. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;
/** Characters; longer than any picture URL of X. */
const MAX_ADDRESS = 2_048;
/** X's longest window (docs.x.com, "Rate limits"). A later reset is an error of the network and is ignored. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;
/** Ten years; a later expiry is implausible. */
const LONGEST_TOKEN_SECONDS = 10 * 365 * 24 * 60 * 60;

/** An id of a post or an account; null for anything else. */
export function idIn(value: unknown): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}

/** @returns at most `max` UTF-16 units that can be stored and shown; null for no string, or when nothing is left. */
export function wordsIn(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  return value.slice(0, max).replace(UNSHOWABLE, '').trim() || null;
}

/** An http(s) address, spelt as the URL standard does; null for anything else. */
export function addressIn(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS || !URL.canParse(value)) return null;
  const { protocol, href } = new URL(value);
  return /^https?:$/.test(protocol) && href.length <= MAX_ADDRESS ? href : null;
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

/** `expires_in` (RFC 6749, section 5.1) as an instant; null when it is missing or implausible. */
export function expiryIn(seconds: unknown, now: Date): Instant | null {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= LONGEST_TOKEN_SECONDS)) return null;
  return new Date(now.getTime() + seconds * 1000).toISOString();
}
