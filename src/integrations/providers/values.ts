import type { Instant } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import type { NetworkResponse } from '../domain/provider-publishing.js';

/* Values of networks are stored and shown: what PostgreSQL refuses (NUL, half a surrogate pair) or is too long must not pass. */

/** Control characters, halves of surrogate pairs, line ends and bidirectional controls. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;
/** Characters; longer than any picture URL of a network. */
const MAX_ADDRESS = 2_048;
/** Ten years; a later expiry is implausible. */
const LONGEST_TOKEN_SECONDS = 10 * 365 * 24 * 60 * 60;

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

/** `expires_in` (RFC 6749, section 5.1) as an instant, also when it is written as text; null when it is missing or implausible. */
export function expiryIn(value: unknown, now: Date): Instant | null {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= LONGEST_TOKEN_SECONDS)) return null;
  return new Date(now.getTime() + seconds * 1000).toISOString();
}

/** A JSON object or list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The members of a JSON object; none of anything else. */
export const recordIn = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** The member of a JSON object, or of a member; undefined for anything else. */
export const memberOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((of, name) => recordIn(of)[name], value);

/** The elements of a list; none of anything else. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The text when it has this form, such as an id; null for anything else. */
export const textLike = (form: RegExp, value: unknown): string | null =>
  typeof value === 'string' && form.test(value) ? value : null;

/** The body of a response of status 200; undefined of every other one. */
export const bodyIn = (response: OutboundResponse): unknown =>
  response.kind === 'answered' && response.status === 200 ? response.body : undefined;

/** A page for people, as firewalls and proxies answer. For hosts whose errors have no form of their own; others: `ResponseReader.isOwnError`. */
export const isPage = ({ headers, body }: Pick<NetworkResponse, 'headers' | 'body'>): boolean =>
  body === undefined && /\bhtml\b/i.test(headers['content-type'] ?? '');
