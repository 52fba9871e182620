/** Whose work it is. */
export interface Origin {
  /** What counts as one. */
  readonly name: string;
  /** May take the places that are reserved. */
  readonly isKnown?: boolean;
}

/** How many may wait. */
export interface WaitingLimits {
  readonly ofAll: number;
  /**
   * Of one origin among the known and again among the unknown: a network that one account knows and another does not can
   * hold twice as many.
   */
  readonly ofOne: number;
  /** Of all origins that are not known; the other places are reserved. */
  readonly ofUnknown: number;
}

interface Waiting {
  readonly origin: Origin;
  readonly start: () => void;
}

/** Lets a few run at once and a few more wait; memory stays bounded whatever comes. */
export class BoundedQueue {
  private running = 0;
  private readonly known: Waiting[] = [];
  private readonly unknown: Waiting[] = [];
  private isTurnOfKnown = true;

  /** @param refusal thrown when no place to wait is free. */
  constructor(
    private readonly concurrency: number,
    private readonly maxWaiting: WaitingLimits,
    private readonly refusal: () => Error,
  ) {}

  /** Known and unknown origins take turns, each in its order. @throws `refusal` at once when no place to wait is free. */
  async run<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.turn(origin);
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next) next.start();
      else this.running -= 1;
    }
  }

  private turn(origin: Origin): Promise<void> {
    const { ofAll, ofOne, ofUnknown } = this.maxWaiting;
    const line = origin.isKnown ? this.known : this.unknown;
    const own = line.filter((other) => other.origin.name === origin.name).length;
    const isFull = this.known.length + this.unknown.length >= ofAll;
    if (isFull || own >= ofOne || (!origin.isKnown && line.length >= ofUnknown)) throw this.refusal();
    return new Promise((start) => line.push({ origin, start }));
  }

  private next(): Waiting | undefined {
    const lines = this.isTurnOfKnown ? [this.known, this.unknown] : [this.unknown, this.known];
    this.isTurnOfKnown = !this.isTurnOfKnown;
    return lines[0]?.shift() ?? lines[1]?.shift();
  }
}
