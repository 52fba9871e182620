import { Clock } from '../clock.js';

/** Moves only when a test advances it. */
export class FixedClock extends Clock {
  private elapsed = 0;

  constructor(private at: Date = new Date('2026-01-15T10:00:00.000Z')) {
    super();
  }

  now(): Date {
    return new Date(this.at);
  }

  monotonic(): number {
    return this.elapsed;
  }

  advance(milliseconds: number): void {
    this.at = new Date(this.at.getTime() + milliseconds);
    this.elapsed += milliseconds;
  }

  /** The wall clock jumps, as after an NTP correction; monotonic time does not. */
  jumpTo(at: Date): void {
    this.at = at;
  }
}
