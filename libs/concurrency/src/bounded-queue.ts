/** The submitter of work, for example a network. */
export interface Origin {
  /** Origins with the same name share one limit. */
  readonly name: string;
  /** May take reserved places. */
  readonly isKnown?: boolean;
}

/** Maximum numbers of waiting work items. */
export interface WaitingLimits {
  readonly total: number;
  /** Counted separately among known and unknown origins: a name that is both can hold twice as many places. */
  readonly perOrigin: number;
  /** All unknown origins together. The other places are reserved for known ones. */
  readonly unknownTotal: number;
  /** How long one waits at most. Default: no limit. */
  readonly milliseconds?: number;
}

type Start = () => void;

/** Waiting work by origin, of which each is next in turn. */
class Waiting {
  count = 0;
  private readonly byOrigin = new Map<string, Start[]>();

  countOf(name: string): number {
    return this.byOrigin.get(name)?.length ?? 0;
  }

  add(name: string, start: Start): void {
    const ofOrigin = this.byOrigin.get(name);
    if (ofOrigin) ofOrigin.push(start);
    else this.byOrigin.set(name, [start]);
    this.count += 1;
  }

  remove(name: string, start: Start): void {
    const ofOrigin = this.byOrigin.get(name) ?? [];
    ofOrigin.splice(ofOrigin.indexOf(start), 1);
    this.count -= 1;
    if (ofOrigin.length === 0) this.byOrigin.delete(name);
  }

  /** Its origin is the last one in the next round. */
  takeNext(): Start | undefined {
    const [name, [start, ...others] = []] = this.byOrigin.entries().next().value ?? [];
    if (name === undefined || !start) return undefined;
    this.byOrigin.delete(name);
    if (others.length > 0) this.byOrigin.set(name, others);
    this.count -= 1;
    return start;
  }
}

/** Limits how much work runs and waits, so that memory use is bounded. */
export class BoundedQueue {
  private running = 0;
  private readonly known = new Waiting();
  private readonly unknown = new Waiting();
  private isKnownNext = true;

  /** @param refusal creates the error for work that may not wait, or no longer. */
  constructor(
    private readonly concurrency: number,
    private readonly limits: WaitingLimits,
    private readonly refusal: () => Error,
  ) {}

  /**
   * Known and unknown origins alternate, and so do the origins of each group; each origin is first in, first out.
   * @throws `refusal` at once when the queue is full, or after the maximum wait
   */
  async run<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.wait(origin);
    try {
      return await work();
    } finally {
      const next = this.takeNext();
      if (next) next();
      else this.running -= 1;
    }
  }

  private wait({ name, isKnown }: Origin): Promise<void> {
    const { total, perOrigin, unknownTotal, milliseconds } = this.limits;
    const queue = isKnown ? this.known : this.unknown;
    const isFull = this.known.count + this.unknown.count >= total;
    const isOverShare = queue.countOf(name) >= perOrigin || (!isKnown && queue.count >= unknownTotal);
    if (isFull || isOverShare) throw this.refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const giveUp = (): void => {
      queue.remove(name, start);
      reject(this.refusal());
    };
    const timer = milliseconds === undefined ? undefined : setTimeout(giveUp, milliseconds);
    queue.add(name, start);
    return promise;
  }

  private takeNext(): Start | undefined {
    const [first, second] = this.isKnownNext ? [this.known, this.unknown] : [this.unknown, this.known];
    this.isKnownNext = !this.isKnownNext;
    return first.takeNext() ?? second.takeNext();
  }
}
