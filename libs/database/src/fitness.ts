import type { DataSource } from 'typeorm';

/** The product does not support this server or database. The message says what is needed. */
export class DatabaseIsUnfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseIsUnfit';
  }
}

const OLDEST = 15;

/** Search depends on both: `lower` and the text search parser use different parts of the locale. */
const FOLDS = `SELECT lower('ЖУК') = 'жук' AND to_tsvector('simple', 'ЖУК') @@ to_tsquery('simple', 'жук') AS folds`;

/** With another encoding or the locale `C`, search would silently miss names that are not ASCII. @throws DatabaseIsUnfit */
export async function assertFit(dataSource: DataSource): Promise<void> {
  const [server] = await dataSource.query<{ version: number; encoding: string }[]>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding`,
  );
  const { version = 0, encoding = '' } = server ?? {};
  if (version < OLDEST)
    throw new DatabaseIsUnfit(`PostgreSQL ${OLDEST} or newer is needed; this is ${version}.`);
  if (encoding !== 'UTF8')
    throw new DatabaseIsUnfit(`The database must be in UTF8, and is in ${encoding}. ${HOW_TO_CREATE}`);
  const [letters] = await dataSource.query<{ folds: boolean }[]>(FOLDS);
  if (!letters?.folds)
    throw new DatabaseIsUnfit(`The locale of the database knows English letters only. ${HOW_TO_CREATE}`);
}

const HOW_TO_CREATE =
  "Create it with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' (or another one in UTF-8).";
