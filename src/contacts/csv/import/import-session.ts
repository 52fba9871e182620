import type { Client, PoolClient } from 'pg';
import { type Database, type Executor, longRunning, type Transaction } from '#libs/database';
import { ImportIsInterrupted, ImportIsRunning } from '../domain/csv.errors.js';
import { END_LEASE, LOCK_LEASE, RENEW_LEASE, WATCH_CLIENT } from './lease.statements.js';
import { COUNT_STAGED, DELETE_LEFTOVERS, DELETE_STAGED } from './staging.statements.js';

const RENEW_EVERY_MS = 1_500;

/**
 * One import while it holds the lease of its organization. Its rows are in shared tables, so it needs no session between
 * two statements: a pooler can run each on another connection.
 */
export class ImportSession implements Executor {
  /** The first two parameters of every statement about staged rows. */
  readonly key: readonly [organizationId: string, importId: string];
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    readonly organizationId: string,
    readonly importId: string,
    /** Aborts when the client of the request has left. */
    private readonly signal: AbortSignal,
  ) {
    this.key = [organizationId, importId];
  }

  async begin(): Promise<void> {
    this.keepLease();
    await longRunning(() => this.database.query(DELETE_LEFTOVERS, this.key));
  }

  /** Runs in its own transaction, or in the running merge; ends when the client leaves. @throws the reason of the signal */
  query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.database.isInTransaction) return this.database.query<Row>(sql, values);
    return this.abandonable((transaction) => transaction.query<Row>(sql, values));
  }

  /** A transaction that is independent of the transaction of the caller. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.database.separateTransaction(work);
  }

  /**
   * A transaction during which no other import can take the lease.
   * @throws ImportIsRunning when another import has taken it
   */
  async merge<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await this.stopRenewing();
    try {
      return await this.abandonable(async (transaction) => {
        const [lease] = await transaction.query(LOCK_LEASE, this.key);
        if (!lease) throw new ImportIsRunning();
        return work(transaction);
      });
    } catch (error) {
      this.keepLease();
      throw error;
    }
  }

  /**
   * A transaction that ends with the request: its connection is closed, and the server stops the statement. Not during the
   * COMMIT, whose outcome would be unknown.
   */
  private abandonable<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const { signal } = this;
    return this.transaction(async (transaction) => {
      signal.throwIfAborted();
      await transaction.query(WATCH_CLIENT);
      const leave = () => void (transaction.client as PoolClient & Client).end();
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await work(transaction);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    });
  }

  /** @throws ImportIsInterrupted when the server has lost staged rows after a crash or a failover */
  async requireStaged(rows: number): Promise<void> {
    const [staged] = await this.query<{ count: number }>(COUNT_STAGED, this.key);
    if (staged?.count !== rows) throw new ImportIsInterrupted();
  }

  /** A sweep deletes the rows that cannot be deleted now. */
  async end(): Promise<void> {
    await this.stopRenewing();
    await longRunning(() => this.database.query(DELETE_STAGED, this.key)).catch(() => undefined);
    await this.database.query(END_LEASE, this.key).catch(() => undefined);
  }

  /** The lease expires without renewal. */
  async stopRenewing(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
  }

  private keepLease(): void {
    const renew = () => {
      this.renewing = this.database.query(RENEW_LEASE, this.key).catch(() => undefined);
    };
    renew();
    this.timer = setInterval(renew, RENEW_EVERY_MS);
  }
}
