import type { Database, Transaction } from '#libs/database';
import { qualified } from '../reactions/table-names.js';

/** Empty copies of the tables in a schema of their own; not durable, only their swap is. Removes what an interrupted rebuild left there. */
export async function makeBeside(
  database: Database,
  tables: readonly string[],
  beside: string,
): Promise<void> {
  await database.separateTransaction(async (transaction) => {
    await transaction.query(`DROP SCHEMA IF EXISTS ${beside} CASCADE`);
    await transaction.query(`CREATE SCHEMA ${beside}`);
    for (const name of tables) {
      const { schema, table } = qualified(name);
      await transaction.query(
        `CREATE UNLOGGED TABLE ${beside}.${table} (LIKE ${schema}.${table} INCLUDING ALL)`,
      );
    }
  });
}

/** At once, whatever transaction the caller is in: the next rebuild makes the schema again. */
export async function dropBeside(database: Database, beside: string): Promise<void> {
  await database.separateTransaction((transaction) =>
    transaction.query(`DROP SCHEMA IF EXISTS ${beside} CASCADE`),
  );
}

/** Rows move, tables stay: indexes, triggers, grants and their names are those of the migrations. */
export async function swapTables(
  transaction: Transaction,
  tables: readonly string[],
  beside: string,
): Promise<void> {
  for (const name of tables.toReversed()) {
    const { schema, table } = qualified(name);
    await transaction.query(`DELETE FROM ${schema}.${table}`);
  }
  for (const name of tables) {
    const { schema, table } = qualified(name);
    await transaction.query(
      `INSERT INTO ${schema}.${table} OVERRIDING SYSTEM VALUE TABLE ${beside}.${table}`,
    );
  }
}

/** Rows that are on one side only. */
export async function compareTables(
  transaction: Transaction,
  tables: readonly string[],
  beside: string,
): Promise<number> {
  let differences = 0;
  for (const name of tables) {
    const { schema, table } = qualified(name);
    const [row] = await transaction.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         (TABLE ${schema}.${table} EXCEPT ALL TABLE ${beside}.${table})
         UNION ALL
         (TABLE ${beside}.${table} EXCEPT ALL TABLE ${schema}.${table})
       ) AS difference`,
    );
    differences += row?.count ?? 0;
  }
  return differences;
}

/**
 * Rows this connection has written to the live tables since its statistics were last handed in, which does not
 * happen inside a transaction: two answers of one transaction differ by what was written in between.
 */
export async function writesToLive(transaction: Transaction, tables: readonly string[]): Promise<string> {
  const [row] = await transaction.query<{ writes: string }>(
    `SELECT sum(pg_stat_get_xact_tuples_inserted(name::regclass) + pg_stat_get_xact_tuples_updated(name::regclass)
       + pg_stat_get_xact_tuples_deleted(name::regclass)) AS writes FROM unnest($1::text[]) AS live (name)`,
    [tables],
  );
  return row?.writes ?? '0';
}
