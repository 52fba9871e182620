import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import type { DatabaseConfig } from './database.config.js';

export type MigrationClass = new () => MigrationInterface;

/** A transaction left open for longer is cut by the server: it would hold every reader of the event log back. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * On a connection that waits in silence, a server that vanished without a word is noticed some seconds after this, and not
 * after the system's two hours. Not so for a query that is sent after it vanished: while data is unacknowledged, Linux asks
 * nothing and sends it again for about 15 minutes (tcp(7), tcp_retries2). Who cannot wait asks through Database.within.
 */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** How every process of the product talks to PostgreSQL. `synchronize` is never on. */
export function dataSourceOptions(
  config: DatabaseConfig,
  migrations: readonly MigrationClass[],
  entities: readonly (new () => object)[] = [],
): DataSourceOptions {
  return {
    type: 'postgres',
    url: config.url,
    entities: [...entities],
    migrations: [...migrations],
    migrationsTableName: 'schema_migration',
    migrationsTransactionMode: 'each',
    synchronize: false,
    poolSize: config.poolSize,
    connectTimeoutMS: 3_000,
    extra: {
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'content-operations',
    },
    poolErrorHandler: () => undefined,
  };
}
