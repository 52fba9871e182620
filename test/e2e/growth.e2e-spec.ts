import { readFile } from 'node:fs/promises';
import { Database } from '#libs/database';
import { BlocksRead, explainStatements } from '../../bench/support/blocks-read.js';
import { grownMember } from '../../bench/support/growth/grown-member.js';
import { CALLBACK_SECRET, type Member } from '../../bench/support/growth/member.js';
import { BOUNDED, NOT_MEASURED, OPERATIONS, QUESTIONS } from '../../bench/support/growth/operations.js';
import { allowed, readByOperations } from '../../bench/support/growth/read-by-operations.js';
import { BusinessApi } from '../support/business-api.js';
import { createTestDatabase } from '../support/test-database.js';

const [FEW, MANY] = [1_000, 10_000];

describe('the operations whose blocks are counted', () => {
  it('are all of the business API', async () => {
    const { paths } = JSON.parse(await readFile('docs/openapi/business-api.json', 'utf8')) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    const ids = described.flatMap(({ operationId }) => operationId ?? []);
    expect([...Object.keys(OPERATIONS), ...Object.keys(NOT_MEASURED)].toSorted()).toEqual(ids.toSorted());
    expect([...QUESTIONS.keys()]).toEqual(expect.arrayContaining(Object.keys(BOUNDED)));
  });
});

describe('the blocks that PostgreSQL reads', () => {
  let api: BusinessApi;
  const read: ReadonlyMap<string, number>[] = [];
  let many: Member;

  beforeAll(async () => {
    const test = await createTestDatabase({ isDirect: true });
    await explainStatements(test);
    const application = { FACEBOOK_APP_ID: 'client', FACEBOOK_APP_SECRET: CALLBACK_SECRET };
    api = await BusinessApi.start({ ...application, X_CLIENT_ID: 'client', X_CLIENT_SECRET: 'secret' }, test);
    const blocks = new BlocksRead(api.service.app.get(Database));
    const few = await memberOf(FEW);
    read.push(await readByOperations(blocks, few, true));
    many = await memberOf(MANY);
    read.push(await readByOperations(blocks, few, false), await readByOperations(blocks, many, false));
  }, 240_000);
  afterAll(() => api.stop());

  async function memberOf(rows: number): Promise<Member> {
    const { token, organizationId } = api.person();
    const { body } = await api.as(token)('POST', '/api/brands', { name: 'Acme' });
    const { url } = api.service;
    const { database } = api.test;
    return grownMember({ url, token, organizationId, brandId: body.id, database }, rows, () =>
      api.followed(),
    );
  }

  /** Those that read more than few rows alone allow, with the blocks of both. */
  const grown = (now: number) => {
    const changes = [...QUESTIONS.keys()].map((question) => {
      const [before = 0, after = Infinity] = [read[0]?.get(question), read[now]?.get(question)];
      return [question, after > allowed(question, before) ? [before, after] : null] as const;
    });
    return Object.fromEntries(changes.filter(([, change]) => change !== null));
  };

  it('are the same for few rows after others were added', () => expect(grown(1)).toEqual({}));

  it('are the same for many rows as for few', () => expect(grown(2)).toEqual({}));

  it('are few for the widget, which counts up to a thousand of each', async () => {
    expect(await many.ask('GET', '/api/widget')).toMatchObject({
      stats: { pendingApprovals: 1_000, failed: 1_000 },
      actions: expect.arrayContaining([expect.objectContaining({ label: 'Look at 1000+ failures' })]),
    });
  });
});
