import type { Clock } from '#libs/clock';

/** An adapter that was given the remaining time ends about when the deadline does. */
const LEAST_MS = 50;

interface TimeLimit {
  readonly timeoutMs: number;
  /** What the operator allows a request, whatever its caller asked for. `timeoutMs` by default. */
  readonly longestMs?: number;
}

/** The time limit of a whole request, with all of its attempts and waits. Ends early when the caller leaves. */
export class Deadline implements Disposable {
  readonly longestMs: number;
  private readonly ended = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly at: number;
  private readonly leave = () => this.ended.abort(this.caller?.reason);

  /** @param caller aborted when the caller has left; undefined: the request continues without its caller */
  constructor(
    private readonly clock: Clock,
    { timeoutMs, longestMs = timeoutMs }: TimeLimit,
    private readonly caller?: AbortSignal,
  ) {
    this.longestMs = longestMs;
    this.at = clock.monotonic() + timeoutMs;
    this.timer = setTimeout(() => this.ended.abort(), timeoutMs);
    if (caller?.aborted) this.leave();
    caller?.addEventListener('abort', this.leave, { once: true });
  }

  /** Aborted when the time is over or the caller has left. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  get time(): { readonly now: number; readonly deadline: number } {
    return { now: this.clock.monotonic(), deadline: this.at };
  }

  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.at - this.clock.monotonic()));
  }

  get hasCallerLeft(): boolean {
    return this.caller?.aborted ?? false;
  }

  /** The caller has left, or there is no time for another call. */
  get isOver(): boolean {
    return this.signal.aborted || this.clock.monotonic() >= this.at - LEAST_MS;
  }

  /** @throws the reason of the caller's signal */
  assertCallerIsThere(): void {
    this.caller?.throwIfAborted();
  }

  /** At most until the deadline or until the caller leaves. */
  async sleep(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || this.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    const wake = () => resolve();
    this.signal.addEventListener('abort', wake, { once: true });
    await promise;
    clearTimeout(timer);
    this.signal.removeEventListener('abort', wake);
  }

  /** Frees the timer. */
  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.leave);
  }
}
