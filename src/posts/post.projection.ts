import { statement } from '#libs/database';
import type { InlineView } from '#libs/event-store';
import type { Post } from './post.js';
import { exists } from './post.js';
import type { Column } from './post.view.js';
import { POST_COLUMNS, rowOf } from './post.view.js';
import type { PublicationRow } from './publication.view.js';
import { PUBLICATION_COLUMNS } from './publication.view.js';

/**
 * An upsert of any number of rows from one JSON parameter. Arrays per column are no faster in batches, cost more to send
 * for one row, and make PostgreSQL plan every execution anew: it prefers the plan that knows how long they are.
 */
function upsert(table: string, columns: readonly Column<never>[], parameter: string): string {
  const [key, ...others] = columns.map(([name]) => name);
  const typed = columns.map(([name, type]) => `${name} ${type}`);
  const updates = others.map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${table} (${[key, ...others].join(', ')})
    SELECT * FROM jsonb_to_recordset(${parameter}::jsonb) AS r (${typed.join(', ')})
    ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`;
}

const jsonOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  JSON.stringify(rows.map((row) => Object.fromEntries(columns.map(([name, , value]) => [name, value(row)]))));

/** One round trip for everything a change leaves behind: $1 are the posts that are gone, $2 those that are not scheduled. */
const SAVE = statement(
  'save_post_view',
  `WITH gone AS (DELETE FROM posts.post_view WHERE id = ANY($1::uuid[])),
     off AS (DELETE FROM posts.publication WHERE post_id = ANY($2::uuid[])),
     shown AS (${upsert('posts.post_view', POST_COLUMNS, '$3')})
   ${upsert('posts.publication', PUBLICATION_COLUMNS, '$4')}`,
);

/** What is read, listed and due, in step with the log: written in the transaction of the event, and by a rebuild. */
export const postProjection: InlineView<Post> = {
  name: 'posts',
  tables: ['posts.post_view', 'posts.publication'],
  async save(executor, rows) {
    const gone = rows.filter(({ state }) => !exists(state));
    const shown = rows.flatMap(({ state, version }) => (exists(state) ? [rowOf(state, version)] : []));
    const due = rows.flatMap(({ state, version }): PublicationRow[] =>
      state.status === 'scheduled' ? [{ post: state, version }] : [],
    );
    const off = rows.filter(({ state }) => state.status !== 'scheduled');
    await executor.query(SAVE, [
      gone.map(({ id }) => id),
      off.map(({ id }) => id),
      jsonOf(POST_COLUMNS, shown),
      jsonOf(PUBLICATION_COLUMNS, due),
    ]);
  },
};
