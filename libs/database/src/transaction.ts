import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import type { LimitedClient } from './client/limited-client.js';
import { namingOutages } from './database.errors.js';
import type { Executor, Statement } from './client/statement.js';

/** One database transaction. */
export class Transaction implements Executor {
  private readonly callbacks: (() => void)[] = [];

  constructor(
    /** pg's client from the query runner; needed for named statements and COPY. */
    readonly client: PoolClient,
    /** TypeORM's manager of the same transaction. */
    readonly manager: EntityManager,
  ) {}

  async query<Row extends object>(sql: string | Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await namingOutages(() => this.client.query<Row>(asQuery(sql, values)));
    return rows;
  }

  /** In the round trip of the commit, which fails with the error of the statement. Its rows are thrown away. */
  beforeCommit({ text }: Statement, values: readonly (string | Buffer)[]): void {
    (this.client as PoolClient & LimitedClient).beforeCommit({ text, values });
  }

  /** Runs after the commit, never after a rollback. For hints such as waking a reader; must not throw. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** Called by Database only. */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }
}

export function asQuery(sql: string | Statement, values: readonly unknown[]) {
  return typeof sql === 'string' ? { text: sql, values: [...values] } : { ...sql, values: [...values] };
}
