/** Maximum wait for the running request. Normal responses take a few milliseconds. */
const MAX_WAIT_MS = 50;

/**
 * Coalesces concurrent requests with the same key. A response is never older than its request: callers that arrive during a
 * running request share the next one. So a credential revoked before a request is refused in its response. Nothing is cached.
 */
export class RequestCoalescer<T> {
  private readonly running = new Map<string, Promise<T>>();
  private readonly waiting = new Map<string, Promise<T>>();

  run(key: string, request: () => Promise<T>): Promise<T> {
    const running = this.running.get(key);
    if (!running) return this.start(key, request);
    const waiting = this.waiting.get(key);
    if (waiting) return waiting;
    const next = settledOrTimedOut(running).then(() => {
      this.waiting.delete(key);
      return this.start(key, request);
    });
    this.waiting.set(key, next);
    return next;
  }

  private start(key: string, request: () => Promise<T>): Promise<T> {
    const started = request().finally(() => {
      if (this.running.get(key) === started) this.running.delete(key);
    });
    this.running.set(key, started);
    return started;
  }
}

function settledOrTimedOut(running: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, MAX_WAIT_MS);
    const settled = (): void => {
      clearTimeout(timeout);
      resolve();
    };
    running.then(settled, settled);
  });
}
