import { Database } from '#libs/database';
import { fillPosts } from '../../bench/support/growth/fill-brand.js';
import type { Member } from '../../bench/support/growth/operations.js';
import { POST_OPERATIONS } from '../../bench/support/growth/operations.js';
import { createPostsInState } from '../../bench/support/growth/posts-in-states.js';
import { BlocksRead, explainStatements } from '../support/blocks-read.js';
import { BusinessApi } from '../support/business-api.js';
import { createTestDatabase } from '../support/test-database.js';

const [FEW, MANY] = [1_000, 10_000];
/** An index of more rows can have one more level, which each of the lookups of an operation reads. */
const MORE_LEVELS = 12;
const OPERATIONS = POST_OPERATIONS;

describe('the blocks that PostgreSQL reads for posts', () => {
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
  });
  afterAll(() => api.stop());

  async function memberOf(posts: number): Promise<Member> {
    const { database } = api.test;
    const call = api.as(api.person().token);
    const brandId = (await call('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    await fillPosts(database, brandId, posts);
    await database.query('VACUUM ANALYZE');
    return {
      brandId,
      async ask(method, path, body) {
        const answer = await call(method, path, body);
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
        return answer.body as unknown;
      },
      postIn: async (state) => (await createPostsInState(database, brandId, state, 1))[0] as string,
    };
  }

  const grown = (name: string) => 1.5 * (alone.get(name) ?? 0) + MORE_LEVELS;

  it.each(Object.keys(OPERATIONS))('are the same for few posts after others were added: %s', async (name) => {
    expect(await blocks.ofLaterRuns(() => OPERATIONS[name]?.(few) ?? Promise.resolve())).toBeLessThanOrEqual(
      grown(name),
    );
  });

  it.each(Object.keys(OPERATIONS))('are the same for many posts as for few: %s', async (name) => {
    expect(await blocks.ofLaterRuns(() => OPERATIONS[name]?.(many) ?? Promise.resolve())).toBeLessThanOrEqual(
      grown(name),
    );
  });
});
