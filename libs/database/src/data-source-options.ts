import type { DataSourceOptions } from 'typeorm';
import { LimitedClient } from './client/limited-client.js';
import type { DatabaseSettings } from './database.config.js';
import { type MigrationClass, withLockTimeout } from './migrations.js';

/**
 * TCP keep-alive detects a lost server on an idle connection within seconds instead of two hours. It does not apply to a
 * query sent after the loss: Linux retransmits unacknowledged data for about 15 minutes (tcp(7), tcp_retries2). Callers that
 * cannot wait use Database.within.
 */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** A statement may wait in the queue of a pooler first, and its answer takes a moment. */
const ANSWER_MARGIN_MS = 5_000;

/** Of each lock of a migration. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * The connection options of every process. `synchronize` is never on. Uses no startup parameters that a pooler refuses and no
 * session state, because a pooler shares sessions.
 */
export function dataSourceOptions(
  config: DatabaseSettings,
  migrations: readonly MigrationClass[],
  entities: readonly (new () => object)[] = [],
): DataSourceOptions {
  const { statementTimeoutMs = 0, longStatementTimeoutMs = 0, namedStatements = 'on' } = config;
  const { answerMarginMs = ANSWER_MARGIN_MS, lockTimeoutMs = LOCK_TIMEOUT_MS } = config;
  return {
    type: 'postgres',
    url: config.url,
    entities: [...entities],
    migrations: migrations.map((migration) => withLockTimeout(migration, lockTimeoutMs)),
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
        answerMarginMs,
      },
      onConnect: (client: LimitedClient) => client.prepareSession(),
    },
    poolErrorHandler: () => undefined,
  };
}
