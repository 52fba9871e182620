import { Injectable } from '@nestjs/common';
import { within } from '#libs/concurrency';

/**
 * Work that the sockets of the public server do not show, and that a shutdown waits for before the modules close: requests whose client
 * has left but that are finished, and requests of the management address, which closes last.
 */
@Injectable()
export class WorkInFlight {
  private readonly running = new Set<Promise<unknown>>();

  /** @returns the same promise */
  track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    const end = () => this.running.delete(work);
    work.then(end, end);
    return work;
  }

  /** Resolves when none runs, at the latest after `withinMs`. */
  async ended(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    for (let leftMs = withinMs; this.running.size > 0 && leftMs > 0; leftMs = until - performance.now())
      await within(leftMs, Promise.allSettled(this.running));
  }
}
