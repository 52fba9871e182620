import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database, longRunning } from '#libs/database';
import { ImportIsRunning } from '../domain/csv.errors.js';
import { ImportPlaces } from './import-places.js';
import type { ImportUpload } from './import-request.js';
import { ImportSession } from './import-session.js';
import { TAKE_LEASE } from './lease.statements.js';

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
