import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import { LimitedClient } from './client/limited-client.js';
import type { DatabaseSettings } from './database.config.js';

export type MigrationClass = new () => MigrationInterface;

/**
 * On a connection that waits in silence, a server that vanished without a word is noticed some seconds after this, and not
 * after the system's two hours. Not so for a query that is sent after it vanished: while data is unacknowledged, Linux asks
 * nothing and sends it again for about 15 minutes (tcp(7), tcp_retries2). Who cannot wait asks through Database.within.
 */
const KEEP_ALIVE_AFTER_MS = 10_000;

/**
 * How every process of the product talks to PostgreSQL. `synchronize` is never on. Nothing is asked for at the start of a
 * connection that a pooler refuses, and nothing is kept in a session that a pooler shares.
 */
export function dataSourceOptions(
  config: DatabaseSettings,
  migrations: readonly MigrationClass[],
  entities: readonly (new () => object)[] = [],
): DataSourceOptions {
  const { statementTimeoutMs = 0, longStatementTimeoutMs = 0, namedStatements = 'on' } = config;
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
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'content-operations',
      Client: LimitedClient,
      rules: {
        timeLimits: { request: statementTimeoutMs, long: longStatementTimeoutMs },
        namedStatements: namedStatements === 'on',
      },
      onConnect: (client: LimitedClient) => client.prepareSession(),
    },
    poolErrorHandler: () => undefined,
  };
}
