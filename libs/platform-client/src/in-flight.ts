/** How long a question waits for the equal one before it. Normal answers take a few milliseconds. */
const PATIENCE_MS = 50;

/**
 * Lets equal questions that are open at the same time share answers, without any answer being older than its question:
 * those that come while one is being asked wait for it to end and then share the next one. So what was revoked before a
 * question is refused in its answer. Nothing is kept; this is no cache.
 */
export class InFlight<T> {
  private readonly running = new Map<string, Promise<T>>();
  private readonly waiting = new Map<string, Promise<T>>();

  share(key: string, ask: () => Promise<T>): Promise<T> {
    const running = this.running.get(key);
    if (!running) return this.start(key, ask);
    const waiting = this.waiting.get(key);
    if (waiting) return waiting;
    const next = endOf(running).then(() => {
      this.waiting.delete(key);
      return this.start(key, ask);
    });
    this.waiting.set(key, next);
    return next;
  }

  private start(key: string, ask: () => Promise<T>): Promise<T> {
    const started = ask().finally(() => {
      if (this.running.get(key) === started) this.running.delete(key);
    });
    this.running.set(key, started);
    return started;
  }
}

/** When it is settled either way, or has taken too long to go on waiting for. */
function endOf(running: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, PATIENCE_MS);
    const ended = (): void => {
      clearTimeout(patience);
      resolve();
    };
    running.then(ended, ended);
  });
}
