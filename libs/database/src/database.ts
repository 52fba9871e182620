import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { currentTimeLimit } from './client/time-limit.js';
import { DatabaseIsUnavailable, isOutage, namingOutages } from './database.errors.js';
import { Session } from './session.js';
import type { Executor, Statement } from './statement.js';
import type { Transaction } from './transaction.js';
import { asQuery } from './transaction.js';

/**
 * The one way to the database. Calls made while a transaction of this database runs in the same
 * asynchronous context take part in it, so that what a request does is one unit where its edge asks for that.
 * @throws DatabaseIsUnavailable from every method when the connection is refused or lost.
 */
@Injectable()
export class Database implements Executor {
  private readonly ambient = new AsyncLocalStorage<Transaction>();

  constructor(readonly dataSource: DataSource) {}

  async query<Row extends object>(sql: string | Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const transaction = this.ambient.getStore();
    if (transaction) return transaction.query<Row>(sql, values);
    const query = { ...asQuery(sql, values), timeLimit: currentTimeLimit() };
    return namingOutages(async () => (await this.pool.query<Row>(query)).rows);
  }

  /**
   * Outside every transaction, for questions whose answer is of no use later. A connection on which nobody answers in time
   * is dropped: it would be lost to the pool for as long as the network takes to notice.
   * @throws DatabaseIsUnavailable from its queries, also when the time is up.
   */
  within(milliseconds: number): Executor {
    return {
      query: <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
        const query = { ...asQuery(sql, values), query_timeout: milliseconds };
        return namingOutages(async () => (await this.pool.query<Row>(query)).rows);
      },
    };
  }

  /** Asks whether anybody answers. @throws DatabaseIsUnavailable */
  async ping(withinMs: number): Promise<void> {
    await this.within(withinMs).query('SELECT 1');
  }

  /** Whether the caller runs inside a transaction of this database. */
  get isInTransaction(): boolean {
    return this.ambient.getStore() !== undefined;
  }

  /** Runs once what was written so far is durable: when the running transaction commits, at once where there is none. */
  afterCommit(callback: () => void): void {
    const running = this.ambient.getStore();
    if (running) running.afterCommit(callback);
    else callback();
  }

  /**
   * Runs `work` in a transaction (read committed), or in the one already running. Committed when the
   * promise of the outermost call resolves, rolled back when it rejects.
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const running = this.ambient.getStore();
    if (running) return work(running);
    return this.separateTransaction(work);
  }

  /** Runs `work` in a transaction of its own even while another one runs: for what must stay when that one is rolled back. */
  async separateTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.session((session) => session.transaction(work));
  }

  /** Holds one connection while `work` runs, whatever transaction the caller is in. Whoever changes the session puts it back. */
  async session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let breakage: unknown;
    const onError = (error: unknown) => (breakage = error);
    try {
      const client = (await namingOutages(() => runner.connect())) as PoolClient;
      client.once('error', onError);
      return await work(new Session(client, runner, this.ambient)).finally(() =>
        client.off('error', onError),
      );
    } catch (error) {
      // Streams on pg's own client fail with these.
      throw isOutage(error) || error === breakage ? new DatabaseIsUnavailable(error) : error;
    } finally {
      await runner.release();
    }
  }

  /** pg's own pool, as TypeORM's driver holds it: for named statements outside a transaction, and for libraries that ask for one. */
  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
