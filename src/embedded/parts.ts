interface Part {
  readonly name: string;
  readonly close: () => Promise<unknown>;
}

/** Thrown into a start that was interrupted, so that nothing more is started. */
export class StartWasCalledOff extends Error {}

/** What has been started so far, to be stopped in the opposite order, whenever that is asked for. */
export class Parts {
  private readonly started: Part[] = [];
  private beingStarted: Promise<unknown> = Promise.resolve();
  private stopped?: Promise<void>;

  /** @param report told when a part does not stop in order; the others are still stopped. */
  constructor(private readonly report: (message: string) => void) {}

  /** @throws StartWasCalledOff when `stop` was called before or meanwhile. */
  async start<T>(name: string, start: () => Promise<T>, close: (part: T) => Promise<unknown>): Promise<T> {
    if (this.stopped) throw new StartWasCalledOff();
    const starting = start().then((part) => {
      this.started.push({ name, close: () => close(part) });
      return part;
    });
    this.beingStarted = starting.catch(() => undefined);
    const part = await starting;
    if (this.stopped) throw new StartWasCalledOff();
    return part;
  }

  /** Work of the start that leaves nothing to stop. @throws StartWasCalledOff like `start` */
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
        this.report(`${name} did not stop in order: ${(error as Error).message}`);
      }
    }
  }
}
