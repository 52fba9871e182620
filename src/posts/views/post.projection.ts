import { TableView, viewTable } from '#libs/event-store';
import { exists, type Post } from '../domain/post.js';
import { POST_COLUMNS, rowOf } from './post.view.js';
import { PUBLICATION_COLUMNS } from './publication.view.js';

/** The tables of queries and of due posts, written in the transaction of the event and by a rebuild. */
export const postProjection = new TableView<Post>({
  name: 'posts',
  tables: [
    viewTable({
      name: 'posts.post_view',
      key: 'id',
      columns: POST_COLUMNS,
      rowOf: ({ state, version }) => (exists(state) ? rowOf(state, version) : null),
    }),
    viewTable({
      name: 'posts.publication',
      key: 'post_id',
      columns: PUBLICATION_COLUMNS,
      rowOf: ({ state, version }) => (state.status === 'scheduled' ? { post: state, version } : null),
    }),
  ],
});
