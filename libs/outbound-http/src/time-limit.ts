/** Aborts its signal when so many milliseconds have passed since it began or was restarted. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private hasEnded = false;

  constructor(milliseconds: number) {
    const reason = new DOMException('The time limit was exceeded.', 'TimeoutError');
    this.timer = setTimeout(() => this.controller.abort(reason), milliseconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Has no effect after `end`: a stream may be read on for a moment when its call is over. */
  restart(): void {
    if (!this.hasEnded) this.timer.refresh();
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
  }
}
