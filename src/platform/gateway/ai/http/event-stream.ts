import { Readable } from 'node:stream';

/** Shorter than the idle time of usual proxies, 60 seconds. */
export const KEEP_ALIVE_MS = 15_000;
const COMMENT = ': keep-alive\n\n';
/** A slow client stops the reading of further events early. */
const HIGH_WATER_MARK = 4_096;

/** One server-sent event. `data` becomes JSON, which has no line breaks. */
export const sse = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Events as the body of a response, as fast as the client reads. Sends comments while no event comes. Destroying it ends the iterator.
 */
export class EventStream extends Readable {
  private isAsking = false;
  private isQuiet = true;
  private readonly timer: NodeJS.Timeout;

  /** @param events whole events, as `sse` writes them */
  constructor(
    private readonly events: AsyncIterator<string, undefined>,
    keepAliveMs = KEEP_ALIVE_MS,
  ) {
    super({ highWaterMark: HIGH_WATER_MARK });
    this.timer = setInterval(() => this.keepAlive(), keepAliveMs);
  }

  override _read(): void {
    if (this.isAsking) return;
    this.isAsking = true;
    void this.ask();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.timer);
    const ended = this.events.return?.() ?? Promise.resolve();
    ended.then(
      () => callback(error),
      (reason: unknown) => callback(error ?? (reason as Error)),
    );
  }

  private async ask(): Promise<void> {
    try {
      const { done, value } = await this.events.next();
      this.isAsking = false;
      this.isQuiet = false;
      if (!this.destroyed) this.push(done ? null : value);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  private keepAlive(): void {
    if (this.isAsking && this.isQuiet && !this.destroyed) this.push(COMMENT);
    this.isQuiet = true;
  }
}
