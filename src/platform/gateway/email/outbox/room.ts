import type { OutboxMessage } from './delivery.js';

/** What decides which mail server is used. */
export type Sent = Pick<OutboxMessage, 'organizationId' | 'isPlatform'>;

/** How many more messages a process may send. */
export interface Room {
  readonly total: number;
  /** With credentials of the platform. */
  readonly platform: number;
  /** With credentials of organizations. */
  readonly own: number;
  /** The most messages of one organization with its own credentials, those that are sent now included. */
  readonly ofOne: number;
  /** Messages that are sent now with the own credentials of an organization. */
  readonly busy: ReadonlyMap<string, number>;
}

/**
 * A mail server that answers slowly holds at most a quarter of the connections of a process where it is that of an organization, and
 * the servers of all organizations hold at most three quarters, as those of the platform do. So none stops the mail of others.
 */
export function roomFor(running: Iterable<Sent>, concurrency: number): Room {
  const quarter = Math.floor(concurrency / 4);
  const busy = new Map<string, number>();
  let [platform, own] = [0, 0];
  for (const { organizationId, isPlatform } of running)
    if (isPlatform) platform += 1;
    else {
      own += 1;
      busy.set(organizationId, (busy.get(organizationId) ?? 0) + 1);
    }
  const ofKind = concurrency - quarter;
  const left = (limit: number, used: number): number => Math.max(0, limit - used);
  return {
    total: left(concurrency, platform + own),
    platform: left(ofKind, platform),
    own: left(ofKind, own),
    ofOne: Math.max(1, quarter),
    busy,
  };
}
