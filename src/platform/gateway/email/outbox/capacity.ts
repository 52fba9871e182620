import type { OutboxMessage } from './delivery.types.js';

/** What decides which mail server is used. */
export type Sent = Pick<OutboxMessage, 'organizationId' | 'isPlatform'>;

/** How many more messages a process may send. */
export interface Capacity {
  readonly total: number;
  readonly platform: number;
  readonly own: number;
  /** The most messages of one organization with its own credentials, those that are sent now included. */
  readonly ofOne: number;
  /** Messages that are sent now, by organization and kind of credential. */
  readonly busy: readonly Busy[];
}

export interface Busy extends Sent {
  readonly messages: number;
}

/**
 * A mail server that answers slowly holds at most a quarter of the connections of a process where it is that of an organization, and
 * the servers of all organizations hold at most three quarters, as those of the platform do. So none stops the mail of others.
 */
export function capacityFor(running: Iterable<Sent>, concurrency: number): Capacity {
  const quarter = Math.floor(concurrency / 4);
  const busy = new Map<string, Busy>();
  const used = { platform: 0, own: 0 };
  for (const { organizationId, isPlatform } of running) {
    const lane = `${isPlatform} ${organizationId}`;
    busy.set(lane, { organizationId, isPlatform, messages: (busy.get(lane)?.messages ?? 0) + 1 });
    used[isPlatform ? 'platform' : 'own'] += 1;
  }
  const ofKind = concurrency - quarter;
  const left = (limit: number, taken: number): number => Math.max(0, limit - taken);
  return {
    total: left(concurrency, used.platform + used.own),
    platform: left(ofKind, used.platform),
    own: left(ofKind, used.own),
    ofOne: Math.max(1, quarter),
    busy: [...busy.values()],
  };
}
