import { Database } from '#libs/database';
import { fillBrand } from '../../bench/support/growth/fill-brand.js';
import type { Member } from '../../bench/support/growth/operations.js';
import { OPERATIONS, someTime } from '../../bench/support/growth/operations.js';
import { createPostInState } from '../../bench/support/growth/posts-in-states.js';
import { BlocksRead, explainStatements } from '../../bench/support/blocks-read.js';
import { BusinessApi } from '../support/business-api.js';
import { createTestDatabase } from '../support/test-database.js';

const [FEW, MANY] = [1_000, 10_000];
/** An index of more rows can have one more level, which each of the lookups of an operation reads. */
const MORE_LEVELS = 12;

describe('the blocks that PostgreSQL reads for a brand', () => {
  let api: BusinessApi;
  let blocks: BlocksRead;
  const alone = new Map<string, number>();
  let few: Member;
  let many: Member;

  beforeAll(async () => {
    const test = await createTestDatabase({ isDirect: true });
    await explainStatements(test);
    api = await BusinessApi.start({}, test);
    blocks = new BlocksRead(api.service.app.get(Database));
    few = await memberOf(FEW);
    for (const [name, work] of Object.entries(OPERATIONS)) alone.set(name, await blocks.of(() => work(few)));
    many = await memberOf(MANY);
    for (const [name, work] of Object.entries(OPERATIONS)) {
      const now = [await blocks.of(() => work(few)), await blocks.of(() => work(many))];
      const sts = await blocks.during(() => work(many));
      process.stderr.write(
        `${name}: ${alone.get(name)} ${now.join(' ')} ${sts
          .toSorted((a, b) => b.blocks - a.blocks)
          .slice(0, 2)
          .map((x) => `${x.blocks} ${x.text.replace(/\s+/g, ' ').slice(0, 60)}`)
          .join(' | ')}\n`,
      );
    }
  });
  afterAll(() => api.stop());

  async function memberOf(rows: number): Promise<Member> {
    const { database } = api.test;
    const call = api.as(api.person().token);
    const brandId = (await call('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    await api.followed();
    await fillBrand(database, brandId, rows);
    // Rows count as visible to all once no older transaction runs: until then an index alone does not suffice.
    await api.followed();
    await database.query('VACUUM posts.post_view, media.file');
    return {
      brandId,
      async ask(method, path, body) {
        const answer = await call(method, path, body);
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
        return answer.body as unknown;
      },
      postIn: (state) => createPostInState(database, brandId, state, someTime()),
    };
  }

  const grown = (name: string) => 1.5 * (alone.get(name) ?? 0) + MORE_LEVELS;

  it.each(Object.keys(OPERATIONS))('are the same for few rows after others were added: %s', async (name) => {
    expect(await blocks.ofLaterRuns(() => OPERATIONS[name]?.(few) ?? Promise.resolve())).toBeLessThanOrEqual(
      grown(name),
    );
  });

  it.each(Object.keys(OPERATIONS))('are the same for many rows as for few: %s', async (name) => {
    expect(await blocks.ofLaterRuns(() => OPERATIONS[name]?.(many) ?? Promise.resolve())).toBeLessThanOrEqual(
      grown(name),
    );
  });

  it('are few for the widget, which counts up to a thousand of each', async () => {
    expect(await many.ask('GET', '/api/widget')).toMatchObject({
      stats: { pendingApprovals: 1_000, failed: 1_000 },
      actions: expect.arrayContaining([expect.objectContaining({ label: 'Look at 1000+ failures' })]),
    });
  });
});
