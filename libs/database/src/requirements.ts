import { type DataSource, MigrationExecutor } from 'typeorm';

/** The product does not support this server or database. The message says what is needed. */
export class DatabaseIsNotSupported extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseIsNotSupported';
  }
}

const OLDEST = 15;

/** Search depends on both: `lower` and the text search parser use different parts of the locale. */
const FOLDS = `SELECT lower('ЖУК') = 'жук' AND to_tsvector('simple', 'ЖУК') @@ to_tsquery('simple', 'жук') AS folds`;

/**
 * With another encoding or the locale `C`, search would silently miss names that are not ASCII. Versions before the first release
 * have created another schema, which no migration continues.
 * @throws DatabaseIsNotSupported
 */
export async function assertSupported(dataSource: DataSource): Promise<void> {
  const [server] = await dataSource.query<{ version: number; encoding: string }[]>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding`,
  );
  const { version = 0, encoding = '' } = server ?? {};
  if (version < OLDEST)
    throw new DatabaseIsNotSupported(`PostgreSQL ${OLDEST} or newer is needed; this is ${version}.`);
  if (encoding !== 'UTF8')
    throw new DatabaseIsNotSupported(`The database must be in UTF8, and is in ${encoding}. ${HOW_TO_CREATE}`);
  const [letters] = await dataSource.query<{ folds: boolean }[]>(FOLDS);
  if (!letters?.folds)
    throw new DatabaseIsNotSupported(
      `The locale of the database knows English letters only. ${HOW_TO_CREATE}`,
    );
  if (await isUnreleased(dataSource)) throw new DatabaseIsNotSupported(UNRELEASED);
}

/** Has migrations, but none that this process knows. Processes that share a database have common ones. */
async function isUnreleased(dataSource: DataSource): Promise<boolean> {
  const known = dataSource.migrations.length;
  if (known === 0) return false;
  const migrations = new MigrationExecutor(dataSource);
  const applied = await migrations.getExecutedMigrations();
  return applied.length > 0 && (await migrations.getPendingMigrations()).length === known;
}

const UNRELEASED =
  'The database was created by a version before 1.0.0: start over with `npm start -- --reset`, or create a new database if it is your own.';

const HOW_TO_CREATE =
  "Create it with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' (or another one in UTF-8).";
