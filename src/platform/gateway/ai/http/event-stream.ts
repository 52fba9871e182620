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
    if (!this.isAsking) void this.ask();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.timer);
    const ended = this.events.return?.() ?? Promise.resolve();
    ended.then(
      () => callback(error),
      (reason: unknown) => callback(error ?? (reason as Error)),
    );
  }

  /**
   * Takes events until the client is slow. Those that came together are passed on in one turn of the event loop, so that they share one
   * write to the socket and streams do not wait for each other at every event.
   */
  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      let isWanted: boolean;
      do {
        const { done, value } = await this.events.next();
        this.isQuiet = false;
        isWanted = !this.destroyed && this.push(done ? null : value);
      } while (isWanted);
    } catch (error) {
      this.destroy(error as Error);
    }
    this.isAsking = false;
  }

  private keepAlive(): void {
    if (this.isAsking && this.isQuiet && !this.destroyed) this.push(COMMENT);
    this.isQuiet = true;
  }
}
