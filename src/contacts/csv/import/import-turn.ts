import type { Database, Executor, Transaction } from '#libs/database';
import { longRunning } from '#libs/database';
import { ImportIsInterrupted, ImportIsRunning } from '../domain/csv.errors.js';
import { END_LEASE, HOLD_LEASE, RENEW_LEASE, WATCH_CLIENT } from './lease.statements.js';
import { COUNT_STAGED, DELETE_LEFTOVERS, DELETE_STAGED } from './staging.statements.js';

const RENEW_EVERY_MS = 1_500;

/**
 * One import while it has its organization's lease. Its rows are in shared tables, so it needs no connection of its own
 * between two statements: a pooler may give each to another one.
 */
export class ImportTurn implements Executor {
  /** The first two parameters of every statement about staged rows. */
  readonly key: readonly [organizationId: string, importId: string];
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    readonly organizationId: string,
    readonly importId: string,
  ) {
    this.key = [organizationId, importId];
  }

  async begin(): Promise<void> {
    this.keepLease();
    await longRunning(() => this.query(DELETE_LEFTOVERS, this.key));
  }

  /** A transaction of its own, or the one that merges when it runs. */
  query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.database.query<Row>(sql, values);
  }

  /** A transaction that waits for none of the caller's. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.database.separateTransaction(work);
  }

  /**
   * A transaction during which no other import takes the lease.
   * @throws ImportIsRunning when another one has it already
   */
  async merge<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await this.stopRenewing();
    try {
      return await this.transaction(async (transaction) => {
        await transaction.query(WATCH_CLIENT);
        const [lease] = await transaction.query(HOLD_LEASE, this.key);
        if (!lease) throw new ImportIsRunning();
        return work(transaction);
      });
    } catch (error) {
      this.keepLease();
      throw error;
    }
  }

  /** @throws ImportIsInterrupted when the server has lost staged rows, as it does in a crash and in a failover */
  async mustHave(rows: number): Promise<void> {
    const [staged] = await this.query<{ count: number }>(COUNT_STAGED, this.key);
    if (staged?.count !== rows) throw new ImportIsInterrupted();
  }

  /** What cannot be deleted now is swept later. */
  async end(): Promise<void> {
    await this.stopRenewing();
    await longRunning(() => this.query(DELETE_STAGED, this.key)).catch(() => undefined);
    await this.query(END_LEASE, this.key).catch(() => undefined);
  }

  /** The lease ends by itself then. */
  async stopRenewing(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
  }

  private keepLease(): void {
    const renew = () => {
      this.renewing = this.query(RENEW_LEASE, this.key).catch(() => undefined);
    };
    renew();
    this.timer = setInterval(renew, RENEW_EVERY_MS);
  }
}
