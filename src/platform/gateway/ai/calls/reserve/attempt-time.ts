import type { Deadline } from '../admit/deadline.js';

/** An attempt has at least this time while another model is left. */
const LEAST_MS = 30_000;
/** Of the remaining time, while another model is left. */
const SHARE = { usual: 1 / 2, most: 3 / 4 };
/**
 * An attempt that ends sooner says nothing about a provider, which can need longer for a long answer: callers with short deadlines could
 * hold back the credential of others otherwise. Of the longest time that a request may take; a first attempt usually has half of it.
 */
const SILENCE = { leastMs: 30_000, ofLongest: 1 / 3 };

/**
 * How long an attempt may take while another model is left, in milliseconds: half of the remaining time, and at least 30 seconds while
 * that leaves a quarter for the other models.
 */
export const shareOf = (remainingMs: number): number =>
  Math.ceil(Math.max(remainingMs * SHARE.usual, Math.min(LEAST_MS, remainingMs * SHARE.most)));

/**
 * The time of one attempt: the rest of the request's, or a share of it, so that a silent provider leaves time for another model.
 */
export class AttemptTime implements Disposable {
  /** Aborted when the attempt's time or the request's is over, or the caller has left. */
  readonly signal: AbortSignal;
  /** Until the attempt ends at the latest. */
  readonly limitMs: number;
  private readonly timer: NodeJS.Timeout | undefined;
  private isSilent = false;
  private hasBegun = false;
  private readonly abort: () => void = () => undefined;

  /** @param isLast whether it may use all of the remaining time */
  constructor(
    private readonly deadline: Deadline,
    isLast: boolean,
  ) {
    const { remainingMs, signal } = deadline;
    this.limitMs = isLast ? remainingMs : shareOf(remainingMs);
    this.signal = signal;
    if (isLast) return;
    const own = new AbortController();
    this.signal = own.signal;
    this.abort = () => own.abort(signal.reason);
    this.timer = setTimeout(() => {
      this.isSilent = true;
      own.abort(new DOMException('The time of the attempt is over.', 'TimeoutError'));
    }, this.limitMs);
    if (signal.aborted) this.abort();
    else signal.addEventListener('abort', this.abort, { once: true });
  }

  /** Of the whole request: a stream that has begun may last until then. */
  get remainingMs(): number {
    return this.deadline.remainingMs;
  }

  /** Content has arrived: no other model takes over, so the time of the request counts. */
  begun(): void {
    this.hasBegun = true;
    clearTimeout(this.timer);
  }

  /**
   * A caller that left, or an attempt with little time, says nothing about the provider; nor does a stream with content that was not whole
   * when the time was over.
   */
  get saysNothing(): boolean {
    const { deadline, isSilent, hasBegun, limitMs } = this;
    const isShort = limitMs < Math.max(SILENCE.leastMs, deadline.longestMs * SILENCE.ofLongest);
    return deadline.hasCallerLeft || ((isSilent || deadline.isOver) && (isShort || hasBegun));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.deadline.signal.removeEventListener('abort', this.abort);
  }
}
