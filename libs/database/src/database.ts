import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { currentTimeLimit } from './client/time-limit.js';
import { isOutage, namingOutages, outageOf } from './database.errors.js';
import { Session } from './session.js';
import type { Executor, Statement } from './client/statement.js';
import { asQuery, type Transaction } from './transaction.js';

/**
 * * All access to the database. Calls join the transaction that runs in the same asynchronous context, so that a request can
 * run in one transaction.
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
   * * Queries outside of transactions with a time limit. Drops a connection that does not respond in time, because it would
   * block a pool slot until the network reports the loss.
   * @throws DatabaseIsUnavailable from its queries, also on timeout
   */
  within(milliseconds: number): Executor {
    return {
      query: <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
        const query = { ...asQuery(sql, values), query_timeout: milliseconds };
        return namingOutages(async () => (await this.pool.query<Row>(query)).rows);
      },
    };
  }

  /** Checks the connection. @throws DatabaseIsUnavailable */
  async ping(withinMs: number): Promise<void> {
    await this.within(withinMs).query('SELECT 1');
  }

  /** Whether the caller runs inside a transaction of this database. */
  get isInTransaction(): boolean {
    return this.running !== undefined;
  }

  /** The transaction that a call of `query` joins. */
  get running(): Transaction | undefined {
    return this.ambient.getStore();
  }

  /** Runs after the running transaction commits, or at once without one. */
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

  /** Runs `work` in a new transaction even while another one runs: for writes that must survive the other's rollback. */
  async separateTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.session((session) => session.transaction(work));
  }

  /** Reserves one connection for `work`, outside of the caller's transaction. `work` must restore session settings. */
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
      // Streams on pg's client fail with these errors.
      throw isOutage(error) || error === breakage ? outageOf(error) : error;
    } finally {
      await runner.release();
    }
  }

  /** pg's pool from TypeORM's driver: for named statements outside a transaction, and for libraries that need a pool. */
  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
