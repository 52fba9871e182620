import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database, longRunning } from '#libs/database';
import { ImportIsRunning } from '../domain/csv.errors.js';
import { ImportSession } from './import-session.js';
import { TAKE_LEASE } from './lease.statements.js';

/** Longer than a lease, so that an import after a killed one does not fail. */
const WAIT_MS = 10_000;
const RETRY_MS = 200;
/** Imports at a time in one process. Each takes most of a processor. */
const MAX_PER_PROCESS = 4;

/** One import at a time per organization, over all replicas: two would not see each other's new contacts. */
@Injectable()
export class ImportLock {
  private running = 0;

  constructor(private readonly database: Database) {}

  /** @throws ImportIsRunning after ten seconds; the reason of the signal */
  async exclusively<T>(
    organizationId: string,
    signal: AbortSignal,
    work: (session: ImportSession) => Promise<T>,
  ): Promise<T> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      signal.throwIfAborted();
      const done = this.running < MAX_PER_PROCESS ? await this.attempt(organizationId, signal, work) : null;
      if (done) return done.result;
      if (performance.now() > end) throw new ImportIsRunning();
      await pause(RETRY_MS);
    }
  }

  private async attempt<T>(
    organizationId: string,
    signal: AbortSignal,
    work: (session: ImportSession) => Promise<T>,
  ): Promise<{ result: T } | null> {
    this.running += 1;
    try {
      const session = new ImportSession(this.database, organizationId, randomUUIDv7(), signal);
      const [taken] = await this.database.query(TAKE_LEASE, session.key);
      if (!taken) return null;
      try {
        await session.begin();
        return { result: await longRunning(() => work(session)) };
      } finally {
        await session.end();
      }
    } finally {
      this.running -= 1;
    }
  }
}
