import type { RecordedEvent } from './domain-event.js';
import { EventIsNewer } from './event-store.errors.js';

/** Converts the data of one schema version to the next. Pure: no clock, no randomness, no I/O. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- only the upcaster knows the old schema
export type Upcaster = (data: any) => unknown;

/** By event type: from version 1 to 2, from 2 to 3, and so on. Append only. */
export type UpcasterChains = Readonly<Record<string, readonly Upcaster[]>>;

/** Keeps old events readable: the log is never rewritten, old schemas are upcast when read. */
export class Upcasters {
  private readonly chains = new Map<string, readonly Upcaster[]>();

  register(chains: UpcasterChains): void {
    for (const [type, chain] of Object.entries(chains)) {
      const known = this.chains.get(type);
      if (known && known !== chain) throw new Error(`Two chains of upcasters for ${type}.`);
      this.chains.set(type, chain);
    }
  }

  /** The schema version of new events of this type. */
  currentVersion(type: string): number {
    return (this.chains.get(type)?.length ?? 0) + 1;
  }

  /** @throws EventIsNewer */
  upcast<Event extends RecordedEvent>(event: Event): Event {
    const current = this.currentVersion(event.type);
    if (event.schemaVersion === current) return event;
    if (event.schemaVersion > current) {
      throw new EventIsNewer(
        `Event ${event.id} (${event.type}) has schema version ${event.schemaVersion}; this release knows ${current}.`,
      );
    }
    const chain = this.chains.get(event.type) ?? [];
    const data = chain
      .slice(event.schemaVersion - 1)
      .reduce<unknown>((older, upcast) => upcast(older), event.data);
    return { ...event, schemaVersion: current, data };
  }
}
