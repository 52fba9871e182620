import type { Database, Transaction } from '#libs/database';
import { parseTableName } from '../reactions/table-names.js';

/** Creates empty unlogged copies of the tables in a separate schema. Drops those of an interrupted rebuild first. */
export async function createShadowTables(
  database: Database,
  tables: readonly string[],
  shadow: string,
): Promise<void> {
  await database.separateTransaction(async (transaction) => {
    await transaction.query(`DROP SCHEMA IF EXISTS ${shadow} CASCADE`);
    await transaction.query(`CREATE SCHEMA ${shadow}`);
    for (const name of tables) {
      const { schema, table } = parseTableName(name);
      await transaction.query(
        `CREATE UNLOGGED TABLE ${shadow}.${table} (LIKE ${schema}.${table} INCLUDING ALL)`,
      );
    }
  });
}

/** Commits independently of the caller's transaction: the next rebuild creates the schema again. */
export async function dropShadowTables(database: Database, shadow: string): Promise<void> {
  await database.separateTransaction((transaction) =>
    transaction.query(`DROP SCHEMA IF EXISTS ${shadow} CASCADE`),
  );
}

/** Copies rows instead of exchanging tables, so that indexes, triggers, grants and their names stay those of the migrations. */
export async function replaceRows(
  transaction: Transaction,
  tables: readonly string[],
  shadow: string,
): Promise<void> {
  for (const name of tables.toReversed()) {
    const { schema, table } = parseTableName(name);
    await transaction.query(`DELETE FROM ${schema}.${table}`);
  }
  for (const name of tables) {
    const { schema, table } = parseTableName(name);
    await transaction.query(
      `INSERT INTO ${schema}.${table} OVERRIDING SYSTEM VALUE TABLE ${shadow}.${table}`,
    );
  }
}

/** @returns the number of rows that are in only one of the two tables */
export async function countDifferences(
  transaction: Transaction,
  tables: readonly string[],
  shadow: string,
): Promise<number> {
  let differences = 0;
  for (const name of tables) {
    const { schema, table } = parseTableName(name);
    const [row] = await transaction.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         (TABLE ${schema}.${table} EXCEPT ALL TABLE ${shadow}.${table})
         UNION ALL
         (TABLE ${shadow}.${table} EXCEPT ALL TABLE ${schema}.${table})
       ) AS difference`,
    );
    differences += row?.count ?? 0;
  }
  return differences;
}

/**
 * Rows that this connection has written to the live tables since it last flushed its statistics. It never flushes inside
 * a transaction, so the difference of two results in one transaction is the number of rows written between them.
 */
export async function countLiveWrites(transaction: Transaction, tables: readonly string[]): Promise<string> {
  const [row] = await transaction.query<{ writes: string }>(
    `SELECT sum(pg_stat_get_xact_tuples_inserted(name::regclass) + pg_stat_get_xact_tuples_updated(name::regclass)
       + pg_stat_get_xact_tuples_deleted(name::regclass)) AS writes FROM unnest($1::text[]) AS live (name)`,
    [tables],
  );
  return row?.writes ?? '0';
}
