import { Client } from 'pg';
import type { TestDatabase } from './test-database.js';
import { waitUntil } from './wait-until.js';

/** A transaction of the test that holds locks, so that requests wait for them. */
export class RowLock {
  private constructor(
    private readonly client: Client,
    private readonly test: TestDatabase,
  ) {}

  /** @param sql takes the locks */
  static async by(test: TestDatabase, sql: string, values: readonly unknown[]): Promise<RowLock> {
    const client = new Client({ connectionString: test.url });
    await client.connect();
    const held = new RowLock(client, test);
    await client.query('BEGIN');
    await held.also(sql, values);
    return held;
  }

  async also(sql: string, values: readonly unknown[]): Promise<void> {
    await this.client.query(sql, [...values]);
  }

  /** Waits until a request waits for a lock. */
  async waitedFor(): Promise<void> {
    await lockIsWaitedFor(this.test);
  }

  /** Sends the requests, waits until each waits for a lock or has responded, releases the lock and returns the responses. */
  async meanwhile<T>(requests: readonly PromiseLike<T>[]): Promise<T[]> {
    let answered = 0;
    const answers = Promise.all(
      requests.map(async (request) => {
        const answer = await request;
        answered += 1;
        return answer;
      }),
    );
    await waitUntil(async () => (await waiting(this.test)) + answered >= requests.length);
    await this.client.query('COMMIT');
    await this.client.end();
    return answers;
  }
}

/** Waits until a statement waits for a lock. */
export const lockIsWaitedFor = (test: TestDatabase): Promise<void> =>
  waitUntil(async () => (await waiting(test)) > 0);

async function waiting({ database }: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
