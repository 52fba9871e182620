import type { DataSource } from 'typeorm';

/** The server or the database is one that the product cannot work on; says what it needs instead. */
export class DatabaseIsUnfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseIsUnfit';
  }
}

const OLDEST = 15;

/** Search folds words with both: `lower` and the parser of words know letters by different settings of a locale. */
const FOLDS = `SELECT lower('ЖУК') = 'жук' AND to_tsvector('simple', 'ЖУК') @@ to_tsquery('simple', 'жук') AS folds`;

/** With another encoding or the locale `C` all works, and nobody whose name is not English is found. @throws DatabaseIsUnfit */
export async function refuseUnfit(dataSource: DataSource): Promise<void> {
  const [server] = await dataSource.query<{ version: number; encoding: string }[]>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding`,
  );
  const { version = 0, encoding = '' } = server ?? {};
  if (version < OLDEST)
    throw new DatabaseIsUnfit(`PostgreSQL ${OLDEST} or newer is needed; this is ${version}.`);
  if (encoding !== 'UTF8')
    throw new DatabaseIsUnfit(`The database must be in UTF8, and is in ${encoding}. ${MAKE_IT_ANEW}`);
  const [letters] = await dataSource.query<{ folds: boolean }[]>(FOLDS);
  if (!letters?.folds)
    throw new DatabaseIsUnfit(`The locale of the database knows English letters only. ${MAKE_IT_ANEW}`);
}

const MAKE_IT_ANEW =
  "Make it with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' (or another one in UTF-8).";
