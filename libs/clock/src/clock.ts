/** The time of this process. Due work is decided by the database's clock, never by this one. */
export abstract class Clock {
  abstract now(): Date;
  /** Milliseconds from an arbitrary start that never jump when the wall clock does. */
  abstract monotonic(): number;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }

  monotonic(): number {
    return performance.now();
  }
}
