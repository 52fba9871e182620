import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

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
    if (this.running.size === 0) return;
    const waiting = new AbortController();
    const late = delay(withinMs, 'late' as const, { signal: waiting.signal }).catch(() => 'late' as const);
    while (this.running.size > 0)
      if ((await Promise.race([Promise.allSettled(this.running), late])) === 'late') break;
    waiting.abort();
  }
}
