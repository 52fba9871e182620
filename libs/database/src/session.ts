import type { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { LimitedClient } from './client/limited-client.js';
import { currentTimeLimit } from './client/time-limit.js';
import { namingOutages } from './database.errors.js';
import type { Executor, Statement } from './client/statement.js';
import { asQuery, Transaction } from './transaction.js';

/**
 * * One reserved connection. Behind a pooler in transaction mode, each statement outside of a transaction can run in another
 * server session, so that temporary tables, SET and session locks must not be used.
 */
export class Session implements Executor {
  constructor(
    /** pg's client; needed for COPY. */
    readonly client: PoolClient,
    private readonly runner: QueryRunner,
    private readonly ambient: AsyncLocalStorage<Transaction>,
  ) {}

  /** Outside of a transaction each statement commits separately. */
  async query<Row extends object>(sql: string | Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const query = { ...asQuery(sql, values), timeLimit: currentTimeLimit() };
    const { rows } = await namingOutages(() => this.client.query<Row>(query));
    return rows;
  }

  /** A transaction (read committed) on this connection; one at a time. */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await namingOutages(() => this.runner.startTransaction());
    const transaction = new Transaction(this.client, this.runner.manager);
    let result: T;
    try {
      await namingOutages(() => this.limit());
      result = await this.ambient.run(transaction, () => work(transaction));
      await namingOutages(() => this.runner.commitTransaction());
    } catch (error) {
      await this.runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
    transaction.committed();
    return result;
  }

  private async limit(): Promise<void> {
    const limit = currentTimeLimit();
    if (limit !== 'request') await (this.client as PoolClient & LimitedClient).limitTransaction(limit);
  }
}
