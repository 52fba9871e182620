import type { Client, PoolClient } from 'pg';
import { type Database, type Executor, longRunning, type Transaction } from '#libs/database';
import { ImportIsInterrupted, ImportIsRunning } from '../domain/csv.errors.js';
import { COUNT_STAGED, DELETE_LEFTOVERS, DELETE_STAGED } from './staging.statements.js';

const LEASE = "clock_timestamp() + interval '6 seconds'";

/**
 * Returns no row when another import holds the lease, or locks its row during a merge. $1 organization, $2 import. It does
 * not wait, because a merge can take minutes.
 */
export const TAKE_LEASE = `
  WITH made AS (
    INSERT INTO contacts.import_lease (organization_id, import_id, lease_until) VALUES ($1, $2, ${LEASE})
    ON CONFLICT DO NOTHING RETURNING import_id),
  expired AS (
    SELECT organization_id FROM contacts.import_lease
    WHERE organization_id = $1 AND lease_until < clock_timestamp() FOR UPDATE SKIP LOCKED),
  taken AS (
    UPDATE contacts.import_lease AS l SET import_id = $2, lease_until = ${LEASE}
    FROM expired WHERE l.organization_id = expired.organization_id RETURNING l.import_id)
  SELECT import_id FROM made UNION ALL SELECT import_id FROM taken`;

const RENEW_LEASE = `
  UPDATE contacts.import_lease SET lease_until = ${LEASE} WHERE organization_id = $1 AND import_id = $2`;

/**
 * Fencing: until the transaction ends, no other import takes the lease. Returns no row when another import holds it. $1
 * organization, $2 import.
 */
export const LOCK_LEASE = `
  SELECT import_id FROM contacts.import_lease WHERE organization_id = $1 AND import_id = $2 FOR UPDATE`;

const END_LEASE = 'DELETE FROM contacts.import_lease WHERE organization_id = $1 AND import_id = $2';

/** Does not wait for an import that merges. */
export const SWEEP_LEASES = `
  DELETE FROM contacts.import_lease WHERE organization_id IN (
    SELECT organization_id FROM contacts.import_lease
    WHERE lease_until < clock_timestamp() - interval '1 minute' FOR UPDATE SKIP LOCKED)`;

/**
 * The server checks every second whether the client still exists, also during a statement or a wait: otherwise the merge
 * of a killed process would keep its contacts locked. Windows cannot, and answers with an error.
 */
const WATCH_CLIENT = `
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '1s', true);
  EXCEPTION WHEN invalid_parameter_value THEN NULL;
  END $$`;

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

  /** The server loses staged rows in a crash or a failover. */
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
