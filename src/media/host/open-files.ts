import type { Response } from 'express';
import { MediaHostIsBusy } from './media-host.errors.js';

/** Each response holds a connection to the store while its client reads. */
const MAX_OPEN = 500;
/** The speed of a client says nothing before. */
const JUDGED_AFTER_MS = 5_000;

interface OpenFile {
  readonly response: Response;
  /** On the monotonic clock. */
  readonly since: number;
  /** Bytes that its connection sent before. */
  readonly sentBefore: number;
}

/**
 * The files that this process sends. When there is no room for another one, the slowest response is ended: clients that hardly read
 * would otherwise keep networks from the files of posts. A player that paused asks for the rest of its file again.
 */
export class OpenFiles {
  private readonly open = new Set<OpenFile>();

  async within(response: Response, send: () => Promise<void>): Promise<void> {
    if (this.open.size >= MAX_OPEN && !this.endSlowest()) throw new MediaHostIsBusy();
    const file = { response, since: performance.now(), sentBefore: sentBy(response) };
    this.open.add(file);
    try {
      await send();
    } finally {
      this.open.delete(file);
    }
  }

  private endSlowest(): boolean {
    const now = performance.now();
    let slowest: OpenFile | undefined;
    let lowest = Infinity;
    for (const file of this.open) {
      const milliseconds = now - file.since;
      const speed = (sentBy(file.response) - file.sentBefore) / milliseconds;
      if (milliseconds < JUDGED_AFTER_MS || speed >= lowest) continue;
      [slowest, lowest] = [file, speed];
    }
    if (!slowest) return false;
    this.open.delete(slowest);
    slowest.response.destroy();
    return true;
  }
}

const sentBy = ({ socket }: Response): number => socket?.bytesWritten ?? 0;
