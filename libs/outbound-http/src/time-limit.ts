/** Aborts its signal when so many milliseconds have passed since it began or was restarted, or when another signal aborts. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private hasEnded = false;
  private isPaused = false;

  /** @param also aborts this limit's signal too, with its reason */
  constructor(
    milliseconds: number,
    private readonly also?: AbortSignal,
  ) {
    this.timer = setTimeout(() => {
      if (!this.isPaused)
        this.controller.abort(new DOMException('The time limit was exceeded.', 'TimeoutError'));
    }, milliseconds);
    if (also?.aborted) this.abort();
    else also?.addEventListener('abort', this.abort);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Has no effect after `end`: a stream may be read on for a moment when its call is over. */
  restart(): void {
    this.isPaused = false;
    if (!this.hasEnded) this.timer.refresh();
  }

  /** Until it is restarted, time does not count. */
  pause(): void {
    this.isPaused = true;
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.also?.removeEventListener('abort', this.abort);
  }

  private readonly abort = (): void => this.controller.abort(this.also?.reason);
}

/** undici itself answers an abort of a queued request only when its turn comes; it is not written then. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
