import { randomUUID } from 'node:crypto';
import { ask, type Author, Business } from '../support/business.js';
import { atLeast, type Line } from '../support/line.js';
import { compare, ratio, type Timing } from '../support/measure.js';
import { ParseServer } from '../support/parse-server.js';

const CLIENTS = 32;
const POSTS_EACH = 100;
const PAGE = 25;

/**
 * Drafts created, and the first page of posts listed, by clients of brands of their own, through the API and through Parse Server on
 * the same PostgreSQL. Parse Server checks sessions in its own process, and stores a row without events, rules or warnings.
 */
export const createAndList: Line = {
  name: 'create-and-list',
  async run(bench) {
    const business = await Business.open(bench, CLIENTS);
    const parse = await ParseServer.start(await bench.emptyDatabase(), CLIENTS, bench.folder);
    try {
      const api = await business.served('src/main.js', CLIENTS);
      const timing: Timing = {
        workers: CLIENTS,
        repetitions: bench.repetitions,
        warmUpMs: 1_000 * bench.scale,
        durationMs: 3_000 * bench.scale,
      };
      const fields = () => ({ platform: 'x', text: `Post ${randomUUID()}` });
      const authorOf = (worker: number) => business.authors[worker] as Author;
      const created = await compare(
        [
          one('parse', (worker) => parse.create(worker, fields())),
          one('api', (worker) => {
            const body = { ...fields(), brandId: authorOf(worker).brandId };
            return ask(api, authorOf(worker), 'POST', '/api/posts', body);
          }),
        ],
        timing,
      );
      await business.posts(POSTS_EACH, () => null);
      await Promise.all(
        business.authors.map(async (_, user) => {
          for (let post = 0; post < POSTS_EACH; post += 1) await parse.create(user, fields());
        }),
      );
      await business.db.database.query('VACUUM ANALYZE');
      const path = `/api/posts?limit=${PAGE}`;
      const listed = await compare(
        [
          one('parse', async (worker) => mustBeFull(await parse.list(worker, PAGE))),
          one('api', async (worker) => {
            const { data } = JSON.parse(await ask(api, authorOf(worker), 'GET', path)) as { data: unknown[] };
            mustBeFull(data.length);
          }),
        ],
        timing,
      );
      const against = 'Parse Server, signed in, on the same PostgreSQL';
      const what = (doing: string) => `${doing} over HTTP, ${CLIENTS} clients`;
      return [
        atLeast(0.3, { what: what('create a draft'), against, ...ratio(created, 'api', 'parse') }),
        atLeast(1.5, { what: what('list posts'), against, ...ratio(listed, 'api', 'parse') }),
      ];
    } finally {
      await parse.close();
      await business.close();
    }
  },
};

const one = (name: string, work: (worker: number) => Promise<unknown>) => ({
  name,
  async work(worker: number) {
    await work(worker);
    return 1;
  },
});

function mustBeFull(rows: number): void {
  if (rows < PAGE) throw new Error(`${rows} rows instead of ${PAGE}.`);
}
