import { setImmediate } from 'node:timers/promises';

/** Long enough that pauses cost little, short enough that a request does not notice it. */
const SLICE_MS = 10;

/**
 * Lets the event loop turn when a long loop has run for a while: by time and not by items, because the cost of an item is
 * the sender's choice.
 */
export class TimeSlices {
  private begun = performance.now();

  /** To be awaited between two pieces of work, each shorter than a slice. */
  async pause(): Promise<void> {
    if (performance.now() - this.begun < SLICE_MS) return;
    await setImmediate();
    this.begun = performance.now();
  }
}
