import { Injectable } from '@nestjs/common';
import { SecretBox as Box } from '#libs/encryption';
import { EncryptionConfig } from './encryption.config.js';
import { type Database, FIRST_ID, LAST_ID, type Statement } from '#libs/database';

@Injectable()
export class SecretBox extends Box {
  constructor(config: EncryptionConfig) {
    super(config);
  }
}

/** In the order of bytes after every key id. */
const AFTER_ALL = '~';

interface Outdated {
  readonly id: string;
  /** What names the keys of its texts. */
  readonly keys: string;
}

/** In SQL, the id of the key that encrypted a column. */
export const keyOf = (column: string): string => `split_part(${column}, '.', 1) COLLATE "C"`;

/**
 * Batches of rows that other keys than the newest have encrypted: in an index by keys and id, those before and after the newest.
 * @param sql its parameters: keys and id of the last row before, keys of the end, limit
 */
export async function* outdatedRows<Row extends Outdated>(
  database: Database,
  sql: Statement,
  newest: string,
  limit: number,
): AsyncGenerator<readonly Row[]> {
  const ranges = [
    { keys: '', id: FIRST_ID, end: newest },
    { keys: newest, id: LAST_ID, end: AFTER_ALL },
  ];
  for (const { end, ...first } of ranges) {
    let { keys, id } = first;
    for (let found = limit; found === limit;) {
      const rows = await database.query<Row>(sql, [keys, id, end, limit]);
      if (rows.length > 0) yield rows;
      found = rows.length;
      ({ keys, id } = rows.at(-1) ?? { keys, id });
    }
  }
}
