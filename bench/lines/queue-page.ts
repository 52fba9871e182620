import type { Caller } from '#libs/auth';
import type { Database, Statement } from '#libs/database';
import { PostFiles } from '../../src/posts/media/post-files.js';
import { PostRenditions } from '../../src/posts/media/post-renditions.js';
import { ListQueueHandler, ListQueue } from '../../src/posts/queries/queue.js';
import { ShownPosts } from '../../src/posts/queries/get-post.js';
import type { BareQuery } from '../servers/bare-query.js';
import { ask, type Author, Business, randomTime } from '../support/business.js';
import { atLeast, type Line } from '../support/line.js';
import { compare, type Contender, ratio } from '../support/measure.js';

const CLIENTS = 32;
const POSTS_EACH = 300;
const PAGE = 25;

/** The first page of the queue, each client of a brand of its own with a few hundred scheduled posts. */
export const queuePage: Line = {
  name: 'queue-page',
  async run(bench) {
    const business = await Business.open(bench, CLIENTS);
    try {
      await business.posts(POSTS_EACH, randomTime);
      await business.db.database.query('VACUUM ANALYZE');
      const { callers } = await business.apiHere();
      const query: BareQuery = await captureStatement(callers);
      const page = `/api/content-ops/queue?limit=${PAGE}`;
      const bare = await business.served('bench/servers/bare-query.js', CLIENTS, {
        BARE_QUERY: JSON.stringify(query),
      });
      const remembering = await business.served('bench/servers/api-without-validation.js', CLIENTS);
      const api = await business.served('src/main.js', CLIENTS);
      const contender = (
        name: string,
        read: (worker: number, author: Author) => Promise<string>,
      ): Contender => ({
        name,
        prepare: () => mustBeFull(() => read(0, business.authors[0] as Author)),
        async work(worker) {
          await read(worker, business.authors[worker] as Author);
          return 1;
        },
      });
      const rates = await compare(
        [
          contender('bare', (worker, author) => ask(bare, author, 'GET', `/${worker}`)),
          contender('unvalidated', (_, author) => ask(remembering, author, 'GET', page)),
          contender('api', (_, author) => ask(api, author, 'GET', page)),
        ],
        {
          workers: CLIENTS,
          repetitions: bench.repetitions,
          warmUpMs: 1_000 * bench.scale,
          durationMs: 3_000 * bench.scale,
        },
      );
      const against = 'the same SQL behind a bare node:http server';
      const what = `queue page over HTTP, ${CLIENTS} clients`;
      return [
        atLeast(0.6, {
          what: `${what}, without the validation call`,
          against,
          ...ratio(rates, 'unvalidated', 'bare'),
        }),
        atLeast(0.35, {
          what: `${what}, caller validated each time`,
          against,
          ...ratio(rates, 'api', 'bare'),
        }),
      ];
    } finally {
      await business.close();
    }
  },
};

/** The posts have no files. */
const NO_QUERIES = undefined as never;

/** The statement of content-ops, captured instead of run, with the values of each caller. */
async function captureStatement(callers: readonly Caller[]): Promise<BareQuery> {
  const asked: { sql: Statement; values: readonly unknown[] }[] = [];
  const listener: Pick<Database, 'query'> = {
    query(sql, values = []) {
      asked.push({ sql: sql as Statement, values });
      return Promise.resolve([]);
    },
  };
  const handler = new ListQueueHandler(
    listener as Database,
    new ShownPosts(new PostFiles(NO_QUERIES), new PostRenditions(NO_QUERIES, NO_QUERIES, NO_QUERIES)),
  );
  for (const caller of callers) {
    const list = { caller, scopes: ['posts.read'], filters: {}, after: null, limit: PAGE + 1 };
    await handler.execute(new ListQueue(list));
  }
  const [first] = asked;
  if (!first) throw new Error('Nothing was asked.');
  return { ...first.sql, values: asked.map(({ values }) => values) };
}

async function mustBeFull(read: () => Promise<string>): Promise<void> {
  const { data } = JSON.parse(await read()) as { data: unknown[] };
  if (data.length < PAGE) throw new Error(`${data.length} rows instead of ${PAGE}.`);
}
