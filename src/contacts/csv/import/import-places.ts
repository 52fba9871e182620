import { UsedTime } from '#libs/concurrency';

/** Imports at a time in one process. Each takes most of a processor and a connection. */
const PLACES = 4;
/** A larger file takes minutes. */
const LARGE_BYTES = 2 * 1024 * 1024;
/** The last place is for files that take seconds, so that they wait for no larger one. */
const PLACES_OF_LARGE = 3;

export interface ImportToRun {
  readonly organizationId: string;
  readonly bytes: number;
}

const isLarge = ({ bytes }: ImportToRun) => bytes > LARGE_BYTES;

/** The imports of this process. Of those that wait, the organization whose imports took the least time is next. */
export class ImportPlaces {
  private readonly used = new UsedTime();
  private readonly running = new Set<ImportToRun>();
  private readonly waiting = new Set<ImportToRun>();

  /** @returns ends it; null: it waits until it is asked for again, or leaves */
  take(one: ImportToRun): (() => void) | null {
    this.waiting.add(one);
    if (this.next() !== one) return null;
    this.waiting.delete(one);
    this.running.add(one);
    const { end } = this.used.begin(one.organizationId);
    return () => {
      this.running.delete(one);
      end();
    };
  }

  /** It waits no longer. */
  leave(one: ImportToRun): void {
    this.waiting.delete(one);
  }

  private next(): ImportToRun | undefined {
    if (this.running.size >= PLACES) return undefined;
    const running = [...this.running];
    const hasRoomForLarge = running.filter(isLarge).length < PLACES_OF_LARGE;
    const isRunning = new Set(running.map(({ organizationId }) => organizationId));
    const used = this.used.leastFirst();
    const rank = ({ organizationId }: ImportToRun) => used.indexOf(organizationId);
    return [...this.waiting]
      .filter((one) => (hasRoomForLarge || !isLarge(one)) && !isRunning.has(one.organizationId))
      .toSorted((a, b) => rank(a) - rank(b))[0];
  }
}
