import type { Instant } from '#libs/content';
import type { LimitReading, NetworkLimit } from '../domain/network-limits.js';

export interface CounterKey {
  readonly platform: string;
  /** The network's id; empty: this service with all accounts. */
  readonly accountId: string;
  /** Names the limit and its window: a limit whose window changes in a release is counted from zero. */
  readonly counter: string;
}

export interface Counter extends CounterKey {
  readonly limit: NetworkLimit;
}

/** What a network said, when it was asked with a use of the counter. */
export interface CounterReading extends LimitReading {
  /** Number of that use, when no other call of the account ran at the same time; null: others may have. */
  readonly after: number | null;
}

/** What happens to a counter in one statement: first uses are returned, then the reading counts, then uses are taken. */
export interface CounterChange {
  readonly counter: Counter;
  readonly wanted: number;
  readonly returned: number;
  /** End of the window in which the returned uses were taken and to which the reading refers; null: unknown. */
  readonly ofWindow: Instant | null;
  readonly reading: CounterReading | null;
}

export interface CounterState {
  readonly granted: number;
  /** Number of the last use that was granted. */
  readonly taken: number;
  readonly remaining: number;
  readonly max: number;
  /** End of the present window; of a rolling one the time when all its uses have left it. */
  readonly windowEndsAt: Instant;
  /** Milliseconds until a use is left; 0: one is left now. */
  readonly freeInMs: number;
}

export const DAY_MS = 86_400_000;

/** Milliseconds. A day may have an hour more or less. */
export const lengthOf = ({ window }: NetworkLimit): number =>
  window.kind === 'day' ? DAY_MS : window.windowMs;

/** How uses are counted. `stated`: not at all, because the network publishes no number. */
export const kindOf = ({ max, window }: NetworkLimit): string => (max === null ? 'stated' : window.kind);

export const keyOf = ({ platform, accountId, counter }: CounterKey): string =>
  JSON.stringify([platform, accountId, counter]);

export function counterOf(platform: string, accountId: string, limit: NetworkLimit): Counter {
  const { name, scope, window } = limit;
  const detail = window.kind === 'day' ? window.timeZone : window.windowMs;
  const counter = `${name}/${kindOf(limit)}/${detail}`;
  return { platform, accountId: scope === 'app' ? '' : accountId, counter, limit };
}
