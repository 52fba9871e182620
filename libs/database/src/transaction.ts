import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { namingOutages } from './database.errors.js';
import type { Executor, Statement } from './statement.js';

/** One database transaction: what is written through it is stored together or not at all. */
export class Transaction implements Executor {
  private readonly callbacks: (() => void)[] = [];

  constructor(
    /** pg's own client, as the query runner holds it; needed for named statements and COPY. */
    readonly client: PoolClient,
    /** TypeORM's manager of the same transaction. */
    readonly manager: EntityManager,
  ) {}

  async query<Row extends object>(sql: string | Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await namingOutages(() => this.client.query<Row>(asQuery(sql, values)));
    return rows;
  }

  /** Runs once the transaction is durable, never when it is rolled back. For hints such as waking a reader; must not throw. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** For the Database alone. */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }
}

export function asQuery(sql: string | Statement, values: readonly unknown[]) {
  return typeof sql === 'string' ? { text: sql, values: [...values] } : { ...sql, values: [...values] };
}
