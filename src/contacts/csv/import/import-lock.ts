import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Session } from '#libs/database';
import { Database } from '#libs/database';
import { ImportIsRunning } from '../csv.errors.js';

/** Held by the connection: whatever ends it, a killed process too, lets the next import begin. */
const TRY = `SELECT pg_try_advisory_lock(hashtextextended('contacts.import ' || $1::text, 0)) AS locked`;
const UNLOCK = `SELECT pg_advisory_unlock(hashtextextended('contacts.import ' || $1::text, 0))`;
/**
 * The server looks whether the process is still there, also while a long statement runs or waits: otherwise an import of a
 * killed one would hold its lock, and the readers of the log, until that is done. Windows cannot.
 */
const WATCH = `SET client_connection_check_interval = '1s'`;
const UNWATCH = 'RESET client_connection_check_interval';

const WAIT_MS = 10_000;
const AGAIN_MS = 200;
/** Each holds a connection of the pool for as long as it takes, and most of a processor. */
const AT_ONCE_PER_PROCESS = 4;

/** One import at a time per organization, over all replicas: two would not see each other's new contacts. */
@Injectable()
export class ImportLock {
  private running = 0;

  constructor(private readonly database: Database) {}

  /** @throws ImportIsRunning when it is not this one's turn within ten seconds; the signal's reason */
  async exclusively<T>(
    organizationId: string,
    signal: AbortSignal,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      signal.throwIfAborted();
      const done = this.running < AT_ONCE_PER_PROCESS ? await this.attempt(organizationId, work) : null;
      if (done) return done.result;
      if (performance.now() > end) throw new ImportIsRunning();
      await pause(AGAIN_MS);
    }
  }

  private async attempt<T>(
    organizationId: string,
    work: (session: Session) => Promise<T>,
  ): Promise<{ result: T } | null> {
    this.running += 1;
    try {
      return await this.database.session(async (session) => {
        const [lock] = await session.query<{ locked: boolean }>(TRY, [organizationId]);
        if (!lock?.locked) return null;
        await session.query(WATCH).catch(() => undefined);
        try {
          return { result: await work(session) };
        } finally {
          await session.query(UNWATCH).catch(() => undefined);
          await session.query(UNLOCK, [organizationId]).catch(() => undefined);
        }
      });
    } finally {
      this.running -= 1;
    }
  }
}
