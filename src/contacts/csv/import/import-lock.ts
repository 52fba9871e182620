import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { UsedTime } from '#libs/concurrency';
import { Database, longRunning } from '#libs/database';
import { ImportIsRunning } from '../domain/csv.errors.js';
import type { ImportUpload } from './import-request.js';
import { ImportSession, TAKE_LEASE } from './import-session.js';

/** Imports at a time in one process. Each takes most of a processor and a connection. */
const PLACES = 4;
/** A larger file takes minutes. */
const LARGE_BYTES = 2 * 1024 * 1024;
/** The last place is for files that take seconds, so that they wait for no larger one. */
const PLACES_OF_LARGE = 3;

interface ImportToRun {
  readonly organizationId: string;
  readonly bytes: number;
}

const isLarge = ({ bytes }: ImportToRun) => bytes > LARGE_BYTES;

/** The imports of this process. Of those that wait, the organization whose imports took the least time is next. */
class ImportPlaces {
  private readonly used = new UsedTime();
  private readonly running = new Set<ImportToRun>();
  private readonly waiting = new Set<ImportToRun>();

  /** @returns ends it; null: it waits until it is asked for again, or leaves */
  take(one: ImportToRun): (() => void) | null {
    this.waiting.add(one);
    if (this.next() !== one) return null;
    this.waiting.delete(one);
    this.running.add(one);
    const { end } = this.used.begin(one.organizationId);
    return () => {
      this.running.delete(one);
      end();
    };
  }

  leave(one: ImportToRun): void {
    this.waiting.delete(one);
  }

  private next(): ImportToRun | undefined {
    if (this.running.size >= PLACES) return undefined;
    const running = [...this.running];
    const hasRoomForLarge = running.filter(isLarge).length < PLACES_OF_LARGE;
    const isRunning = new Set(running.map(({ organizationId }) => organizationId));
    const used = this.used.leastFirst();
    const rank = ({ organizationId }: ImportToRun) => used.indexOf(organizationId);
    return [...this.waiting]
      .filter((one) => (hasRoomForLarge || !isLarge(one)) && !isRunning.has(one.organizationId))
      .toSorted((a, b) => rank(a) - rank(b))[0];
  }
}

/** Longer than a lease, so that an import after a killed one does not fail. */
const WAIT_MS = 10_000;
const RETRY_MS = 200;

/** One import at a time per organization, over all replicas: two would not see each other's new contacts. */
@Injectable()
export class ImportLock {
  private readonly places = new ImportPlaces();

  constructor(private readonly database: Database) {}

  /** @throws ImportIsRunning after ten seconds; the reason of the signal */
  async exclusively<T>(
    organizationId: string,
    { signal, file }: ReceivedImport,
    work: (session: ImportSession) => Promise<T>,
  ): Promise<T> {
    const end = performance.now() + WAIT_MS;
    const place = { organizationId, bytes: file.size };
    try {
      for (;;) {
        signal.throwIfAborted();
        const leave = this.places.take(place);
        const done = leave && (await this.attempt(organizationId, signal, work).finally(leave));
        if (done) return done.result;
        if (performance.now() > end) throw new ImportIsRunning();
        await pause(RETRY_MS);
      }
    } finally {
      this.places.leave(place);
    }
  }

  private async attempt<T>(
    organizationId: string,
    signal: AbortSignal,
    work: (session: ImportSession) => Promise<T>,
  ): Promise<{ result: T } | null> {
    const session = new ImportSession(this.database, organizationId, randomUUIDv7(), signal);
    const [taken] = await this.database.query(TAKE_LEASE, session.key);
    if (!taken) return null;
    try {
      await session.begin();
      return { result: await longRunning(() => work(session)) };
    } finally {
      await session.end();
    }
  }
}

type ReceivedImport = Pick<ImportUpload, 'signal'> & { readonly file: Pick<ImportUpload['file'], 'size'> };
