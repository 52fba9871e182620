import type { ViewRow } from '#libs/event-store';
import { SqlView } from '#libs/event-store';
import type { Post } from './post.js';
import { exists } from './post.js';
import type { Column } from './post.view.js';
import { POST_COLUMNS, rowOf } from './post.view.js';
import type { PublicationRow } from './publication.view.js';
import { PUBLICATION_COLUMNS } from './publication.view.js';

/** An upsert of any number of rows from JSON. */
function upsert(table: string, columns: readonly Column<never>[], json: string): string {
  const [key, ...others] = columns.map(([name]) => name);
  const typed = columns.map(([name, type]) => `${name} ${type}`);
  const updates = others.map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${table} (${[key, ...others].join(', ')})
    SELECT * FROM jsonb_to_recordset(${json}) AS r (${typed.join(', ')})
    ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`;
}

const recordsOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) =>
  rows.map((row) => Object.fromEntries(columns.map(([name, , value]) => [name, value(row)])));

/** As PostgreSQL writes an array. */
const arrayOf = (rows: readonly ViewRow<Post>[]): string => `{${rows.map(({ id }) => id).join(',')}}`;

const among = (key: string) => `= ANY (((TABLE given)->>'${key}')::uuid[])`;

/** What is read, listed and due, in step with the log: written with the event, and by a rebuild. */
export const postProjection = new SqlView<Post>({
  name: 'posts',
  tables: ['posts.post_view', 'posts.publication'],
  json(rows) {
    const shown = rows.flatMap(({ state, version }) => (exists(state) ? [rowOf(state, version)] : []));
    const due = rows.flatMap(({ state, version }): PublicationRow[] =>
      state.status === 'scheduled' ? [{ post: state, version }] : [],
    );
    return {
      gone: arrayOf(rows.filter(({ state }) => !exists(state))),
      off: arrayOf(rows.filter(({ state }) => state.status !== 'scheduled')),
      shown: recordsOf(POST_COLUMNS, shown),
      due: recordsOf(PUBLICATION_COLUMNS, due),
    };
  },
  writes: [
    `DELETE FROM posts.post_view WHERE id ${among('gone')}`,
    `DELETE FROM posts.publication WHERE post_id ${among('off')}`,
    upsert('posts.post_view', POST_COLUMNS, `(TABLE given)->'shown'`),
    upsert('posts.publication', PUBLICATION_COLUMNS, `(TABLE given)->'due'`),
  ],
});
