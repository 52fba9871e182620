/**
 * Begins work in the order of its arrival, one piece in each turn of the event loop.
 *
 * Requests that arrive together would otherwise all take their first step before any takes its second, and so on: each waits for all others
 * at every step, and callers that repeat their calls stay together. Here those that have begun go first, at most one turn apart.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  /** @param work runs outside of the caller's async context. What it throws is an uncaught exception. */
  add(work: () => void): void {
    this.waiting.push(work);
    if (this.waiting.length === 1) setImmediate(this.next);
  }

  private readonly next = (): void => {
    const work = this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(this.next);
    work?.();
  };
}
