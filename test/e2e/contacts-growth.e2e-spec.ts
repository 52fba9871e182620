import { randomUUID } from 'node:crypto';
import { Database } from '#libs/database';
import { FailedRowsSweep } from '../../src/contacts/csv/sweeps/failed-rows.sweep.js';
import { StagedRowsSweep } from '../../src/contacts/csv/sweeps/staged-rows.sweep.js';
import { BlocksRead, explainStatements } from '../../bench/support/blocks-read.js';
import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';
import { importing } from '../support/csv-import.js';
import { createTestDatabase } from '../support/test-database.js';

const [FEW, MANY] = [1_000, 20_000];
/** An index of more rows can have one more level, which each of the lookups of an operation reads. */
const MORE_LEVELS = 16;

interface Owner {
  readonly call: Call;
  readonly token: string;
  readonly organizationId: string;
  readonly contactId: string;
}

/** What members do with contacts and boards; each the same for few contacts and for many. */
const OPERATIONS: Readonly<Record<string, (owner: Owner) => Promise<unknown>>> = {
  'the first page': get(() => '/api/contacts?includeTotal=false'),
  'a later page': get(() => '/api/contacts?includeTotal=false&page=5'),
  'the oldest': get(() => '/api/contacts?includeTotal=false&sort=createdAt'),
  'the list by name': get(() => '/api/contacts?includeTotal=false&sort=name'),
  'the list by name backwards': get(() => '/api/contacts?includeTotal=false&sort=-name'),
  'deleted contacts': get(() => '/api/contacts?includeTotal=false&deleted=true'),
  'deleted contacts by name': get(() => '/api/contacts?includeTotal=false&deleted=true&sort=name'),
  'a rare word': get(() => '/api/contacts?q=quetzal'),
  'a word that no contact has': get(() => '/api/contacts?q=xylograph'),
  'a word with a typo': get(() => '/api/contacts?q=quetzql'),
  'a part of a word': get(() => '/api/contacts?q=uetza'),
  'a part of a phone number': get(() => '/api/contacts?q=1000123'),
  'a phone number': get(() => `/api/contacts?q=${encodeURIComponent('+420 601 000 123')}`),
  'the export of a search': get(() => '/api/contacts/export?q=quetzal'),
  'a contact': get(({ contactId }) => `/api/contacts/${contactId}`),
  'the notes of a contact': get(({ contactId }) => `/api/contacts/${contactId}/notes`),
  'the files of a contact': get(({ contactId }) => `/api/contacts/${contactId}/attachments`),
  'the movements of a contact': get(({ contactId }) => `/api/pipeline/${contactId}/history`),
  'the pipelines': get(() => '/api/pipeline'),
  'a contact that exists': ({ call }) =>
    call('POST', '/api/contacts?onDuplicate=reject', { name: 'Jana', email: 'p7@example.com' }),
  'a change': ({ call, contactId }) => call('PUT', `/api/contacts/${contactId}`, { company: randomUUID() }),
  'an import': ({ token, call }) =>
    importing(String((call as Call & { url?: string }).url), token, {
      file: 'name,email\nPerson 7,p7@example.com\n',
    }),
};

function get(path: (owner: Owner) => string) {
  return async (owner: Owner) => {
    const { status, text } = await owner.call('GET', path(owner));
    if (status !== 200) throw new Error(`${path(owner)}: ${status} ${text}`);
  };
}

describe('the blocks that PostgreSQL reads for contacts', () => {
  let api: BusinessApi;
  let blocks: BlocksRead;
  const alone = new Map<string, number>();
  let few: Owner;
  let many: Owner;

  beforeAll(async () => {
    const test = await createTestDatabase({ isDirect: true });
    await explainStatements(test);
    api = await BusinessApi.start({}, test);
    blocks = new BlocksRead(api.service.app.get(Database));
    few = await ownerOf(FEW, 0);
    for (const [name, work] of Object.entries(OPERATIONS)) alone.set(name, await blocks.of(() => work(few)));
    many = await ownerOf(MANY, 1_000_000);
  });
  afterAll(() => api.stop());

  /** All contacts in one statement, with ids in the order of time. */
  async function ownerOf(contacts: number, from: number): Promise<Owner> {
    const { token, organizationId } = api.person();
    const call = api.as(token);
    const { database } = api.test;
    await database.query(
      `INSERT INTO contacts.contact (id, organization_id, name, email, email_key, phones, company, tags, deleted_at)
       SELECT (lpad(to_hex(1700000000000 + $3 + n), 12, '0') || '70008000' || substr(md5(random()::text), 1, 12))::uuid, $1,
         CASE n WHEN 500 THEN 'Maria Quetzal' ELSE 'Person ' || n END, address, address,
         ARRAY['+420 60' || (1000000 + n)], 'Company ' || n % 100, ARRAY['customer'], CASE WHEN n % 10 = 0 AND n <> 500 THEN now() END
       FROM generate_series(1, $2::int) AS n CROSS JOIN LATERAL (SELECT 'p' || n || '@example.com' AS address) AS a`,
      [organizationId, contacts, from],
    );
    await database.query(
      `INSERT INTO contacts.note (id, contact_id, body, author_type, author_id)
       SELECT gen_random_uuid(), id, 'A note', 'user', 'x' FROM contacts.contact WHERE organization_id = $1`,
      [organizationId],
    );
    const found = await call('GET', '/api/contacts?q=quetzal');
    const [{ id: contactId } = { id: '' }] = (found.body as { data: { id: string }[] }).data;
    const { body: board } = await call('GET', '/api/pipeline');
    const [pipeline] = (board as { data: { stages: { id: string }[] }[] }).data;
    await call('PUT', `/api/pipeline/${contactId}/move`, { stageId: pipeline?.stages[0]?.id });
    for (const table of ['contact', 'note']) await database.query(`VACUUM ANALYZE contacts.${table}`);
    return { call: Object.assign(call, { url: api.service.url }), token, organizationId, contactId };
  }

  const grown = (name: string) => 1.5 * (alone.get(name) ?? 0) + MORE_LEVELS;

  it.each(Object.keys(OPERATIONS))(
    'are the same for few contacts after others were added: %s',
    async (name) => {
      expect(
        await blocks.ofLaterRuns(() => OPERATIONS[name]?.(few) ?? Promise.resolve()),
      ).toBeLessThanOrEqual(grown(name));
    },
  );

  it.each(Object.keys(OPERATIONS))('are the same for many contacts as for few: %s', async (name) => {
    expect(await blocks.ofLaterRuns(() => OPERATIONS[name]?.(many) ?? Promise.resolve())).toBeLessThanOrEqual(
      grown(name),
    );
  });

  it('are few for sweeps that find nothing', async () => {
    const database = api.service.app.get(Database);
    expect(await blocks.of(() => new FailedRowsSweep(database).tick())).toBeLessThanOrEqual(MORE_LEVELS);
    expect(await blocks.of(() => new StagedRowsSweep(database).tick())).toBeLessThanOrEqual(MORE_LEVELS);
  });
});
