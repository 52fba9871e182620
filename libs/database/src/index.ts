export { Database } from './database.js';
export { longRunning } from './client/time-limit.js';
export { tryConnection } from './connect.js';
export { DatabaseConfig, withoutTimeLimits } from './database.config.js';
export {
  DatabaseIsUnavailable,
  isDataError,
  isTransient,
  isRefusal,
  isTimeout,
  isUniqueViolation,
  namingOutages,
  outageOf,
  StatementTookTooLong,
} from './database.errors.js';
export type { DatabaseSettings } from './database.config.js';
export { DatabaseModule } from './database.module.js';
export { dataSourceOptions } from './data-source-options.js';
export type { MigrationClass } from './migrations.js';
export { DatabaseIsNotSupported, assertSupported } from './requirements.js';
export { applyMigrations } from './migrations.js';
export { FIRST_ID, inGroup, LAST_ID, ofGroup } from './group-pages.js';
export { repeated, WAITS_MS } from './repeated.js';
export { arrayOfJson, statement } from './client/statement.js';
export type { Executor, Statement } from './client/statement.js';
export { Transaction } from './transaction.js';
