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
}

interface Waiting {
  readonly origin: Origin;
  readonly start: () => void;
}

/** Limits how much work runs and waits, so that memory use is bounded. */
export class BoundedQueue {
  private running = 0;
  private readonly known: Waiting[] = [];
  private readonly unknown: Waiting[] = [];
  private isKnownNext = true;

  /** @param refusal creates the error for a full queue. */
  constructor(
    private readonly concurrency: number,
    private readonly limits: WaitingLimits,
    private readonly refusal: () => Error,
  ) {}

  /** Known and unknown origins alternate; each group is first in, first out. @throws `refusal` at once when the queue is full. */
  async run<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.wait(origin);
    try {
      return await work();
    } finally {
      const next = this.takeNext();
      if (next) next.start();
      else this.running -= 1;
    }
  }

  private wait(origin: Origin): Promise<void> {
    const { total, perOrigin, unknownTotal } = this.limits;
    const queue = origin.isKnown ? this.known : this.unknown;
    const ofOrigin = queue.filter((other) => other.origin.name === origin.name).length;
    const isFull = this.known.length + this.unknown.length >= total;
    const isOverShare = ofOrigin >= perOrigin || (!origin.isKnown && queue.length >= unknownTotal);
    if (isFull || isOverShare) throw this.refusal();
    return new Promise((start) => queue.push({ origin, start }));
  }

  private takeNext(): Waiting | undefined {
    const queues = this.isKnownNext ? [this.known, this.unknown] : [this.unknown, this.known];
    this.isKnownNext = !this.isKnownNext;
    return queues[0]?.shift() ?? queues[1]?.shift();
  }
}
