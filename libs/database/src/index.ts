export { Database } from './database.js';
export { longRunning } from './client/time-limit.js';
export { tryConnection, withDataSource } from './connect.js';
export { DatabaseConfig, type DatabaseSettings, withoutTimeLimits } from './database.config.js';
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
export { DatabaseModule } from './database.module.js';
export { dataSourceOptions } from './data-source-options.js';
export { applyMigrations, type MigrationClass } from './migrations.js';
export { DatabaseIsNotSupported, assertSupported } from './requirements.js';
export { FIRST_ID, inGroup, LAST_ID, ofGroup } from './group-pages.js';
export { repeated, WAITS_MS } from './repeated.js';
export { type RowOf, viewOf } from './rows.js';
export { arrayOfJson, type Executor, statement, type Statement } from './client/statement.js';
export { Transaction } from './transaction.js';
