interface Part {
  readonly name: string;
  readonly close: () => Promise<unknown>;
}

/** Thrown in an interrupted start, so that it starts nothing more. */
export class StartWasCancelled extends Error {}

/** The started parts. `stop` stops them in reverse order at any time. */
export class Parts {
  private readonly started: Part[] = [];
  private beingStarted: Promise<unknown> = Promise.resolve();
  private stopped?: Promise<void>;

  /** @param report called when a part fails to stop; the others are still stopped */
  constructor(private readonly report: (message: string) => void) {}

  /** @throws StartWasCancelled after `stop` was called */
  async start<T>(name: string, start: () => Promise<T>, close: (part: T) => Promise<unknown>): Promise<T> {
    if (this.stopped) throw new StartWasCancelled();
    const starting = start().then((part) => {
      this.started.push({ name, close: () => close(part) });
      return part;
    });
    this.beingStarted = starting.catch(() => undefined);
    const part = await starting;
    if (this.stopped) throw new StartWasCancelled();
    return part;
  }

  /** Runs work that leaves nothing to stop. @throws StartWasCancelled like `start` */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.start('', work, () => Promise.resolve());
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.stopAll());
  }

  private async stopAll(): Promise<void> {
    await this.beingStarted;
    for (const { name, close } of this.started.reverse()) {
      try {
        await close();
      } catch (error) {
        this.report(`${name} failed to stop: ${(error as Error).message}`);
      }
    }
  }
}
