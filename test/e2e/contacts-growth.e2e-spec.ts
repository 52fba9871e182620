import { randomUUID } from 'node:crypto';
import { Database } from '#libs/database';
import { FailedRowsSweep, StagedRowsSweep } from '../../src/contacts/csv/import/import.sweeps.js';
import { BlocksRead, explainStatements } from '../../bench/support/blocks-read.js';
import { BusinessApi } from '../support/business-api.js';
import type { ApiResponse, Call } from '../support/call.js';
import { importing } from '../support/csv-import.js';
import { createTestDatabase } from '../support/test-database.js';

const [FEW, MANY] = [1_000, 20_000];
const TABLES = ['contacts.contact', 'contacts.note', 'contacts.contact_import', 'pipelines.card_view'];
/** An index of more rows can have one more level, which each of the lookups of an operation reads. */
const MORE_LEVELS = 16;
/**
 * Operations with many lookups. A stage counts up to 1 001 cards: as one in ten contacts is deleted, it looks up 1 112 of them in the
 * index of deleted contacts.
 */
const LOOKUPS: Readonly<Record<string, number>> = {
  'the board': 1_112,
  'a later page of a stage': 2 * 1_112,
};

interface Owner {
  readonly call: Call;
  readonly url: string;
  readonly token: string;
  readonly organizationId: string;
  /** It has as many notes as there are contacts. */
  readonly contactId: string;
  readonly pipelineId: string;
  /** All contacts are in the first one. */
  readonly stageIds: readonly string[];
}

/** What members do with contacts and boards; each the same for few contacts and for many. */
const OPERATIONS: Readonly<Record<string, (owner: Owner) => Promise<unknown>>> = {
  'the first page and the total': get(() => '/api/contacts'),
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
  'the board': get(({ pipelineId }) => `/api/pipeline/${pipelineId}/board`),
  'a later page of a stage': async ({ call, pipelineId, stageIds: [stageId] }) => {
    const path = `/api/pipeline/${pipelineId}/board?stageId=${stageId}`;
    const { stages } = (await done(call('GET', path))) as { stages: { nextCursor: string }[] };
    await done(call('GET', `${path}&cursor=${stages[0]?.nextCursor}`));
  },
  'a move to the end': async ({ call, contactId, stageIds }) => {
    for (const stageId of [stageIds[1], stageIds[0]])
      await done(call('PUT', `/api/pipeline/${contactId}/move`, { stageId }));
  },
  'a move between two cards': ({ call, contactId, stageIds: [stageId] }) =>
    done(call('PUT', `/api/pipeline/${contactId}/move`, { stageId, position: 100.5 + Math.random() / 2 })),
  'an attempt to archive a full stage': ({ call, pipelineId, stageIds: [stageId] }) =>
    call('DELETE', `/api/pipeline/${pipelineId}/stages/${stageId}`),
  'a contact that is new': ({ call }) => done(call('POST', '/api/contacts', { name: 'New' })),
  'a deletion and a restoration': async ({ call, contactId }) => {
    await done(call('DELETE', `/api/contacts/${contactId}`));
    await done(call('POST', `/api/contacts/${contactId}/restore`));
  },
  'an erasure': async ({ call }) => {
    const { id } = (await done(call('POST', '/api/contacts', { name: 'Gone' }))) as { id: string };
    await done(call('DELETE', `/api/contacts/${id}?erase=true`));
  },
  'a new note': ({ call, contactId }) =>
    done(call('POST', `/api/contacts/${contactId}/notes`, { body: 'Called' })),
  'a contact that exists': ({ call }) =>
    call('POST', '/api/contacts?onDuplicate=reject', { name: 'Jana', email: 'p7@example.com' }),
  'a change': ({ call, contactId }) => call('PUT', `/api/contacts/${contactId}`, { company: randomUUID() }),
  'an import': ({ url, token }) => importing(url, token, { file: 'name,email\nPerson 7,p7@example.com\n' }),
};

function get(path: (owner: Owner) => string) {
  return (owner: Owner) => done(owner.call('GET', path(owner)));
}

/** @throws Error for a refusal */
async function done(response: Promise<ApiResponse>): Promise<unknown> {
  const { status, text, body } = await response;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body as unknown;
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
    const [pipeline] = (board as { data: { id: string; stages: { id: string }[] }[] }).data;
    const { id: pipelineId, stages } = pipeline ?? { id: '', stages: [] };
    const stageIds = stages.map(({ id }) => id);
    const owner = { call, url: api.service.url, token, organizationId, contactId, pipelineId, stageIds };
    await fill(owner, contacts);
    await call('PUT', `/api/pipeline/${contactId}/move`, { stageId: stageIds[0] });
    // The first erasure takes the names of files from all reports.
    await OPERATIONS['an erasure']?.(owner);
    // Rows count as visible to all once no older transaction runs: until then an index alone does not suffice.
    await api.followed();
    for (const table of TABLES) await database.query(`VACUUM ANALYZE ${table}`);
    return owner;
  }

  /** Notes of one contact, cards in one stage, reports of imports, with names of files and without failed rows. */
  async function fill(
    { organizationId, contactId, pipelineId, stageIds }: Owner,
    rows: number,
  ): Promise<void> {
    const { database } = api.test;
    await database.query(
      `INSERT INTO contacts.note (id, contact_id, body, author_type, author_id)
       SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || substr(md5(random()::text), 1, 12))::uuid, $1, 'A note',
         'user', 'x' FROM generate_series(1, $2::int) AS n`,
      [contactId, rows],
    );
    await database.query(
      `INSERT INTO pipelines.card_view (id, pipeline_id, contact_id, stage_id, position, entered_at, version)
       SELECT gen_random_uuid(), $2, id, $3, row_number() OVER (ORDER BY id), now(), 1
       FROM contacts.contact WHERE organization_id = $1 AND id <> $4`,
      [organizationId, pipelineId, stageIds[0], contactId],
    );
    await database.query(
      `INSERT INTO contacts.contact_import (id, organization_id, created_at, failed_rows_erased_at, file_sha256, header, delimiter, report, rows_read, created,
         updated, unchanged, skipped_duplicate, skipped_empty, failed)
       SELECT gen_random_uuid(), $1, now() - interval '1 year', now(), n, '{}', ',', jsonb_build_object('file', jsonb_build_object('name', 'a.csv'), 'errors', '[]'::jsonb),
         1, 1, 0, 0, 0, 0, 0 FROM generate_series(1, $2::int) AS n`,
      [organizationId, rows],
    );
  }

  const grown = (name: string) => 1.5 * (alone.get(name) ?? 0) + (LOOKUPS[name] ?? MORE_LEVELS);

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

  it('are bounded, because no more than a thousand are counted', async () => {
    const { call, contactId, pipelineId, stageIds } = many;
    for (const path of ['/api/contacts', '/api/contacts?q=person', `/api/contacts/${contactId}/notes`]) {
      const { pagination } = (await call('GET', path)).body;
      expect(pagination).toMatchObject({ totalExceeds: 1_000 });
      expect(pagination).not.toHaveProperty('total');
    }
    const { stages } = (await call('GET', `/api/pipeline/${pipelineId}/board`)).body;
    expect(stages).toMatchObject([
      { totalExceeds: 1_000 },
      { total: 0 },
      { total: 0 },
      { total: 0 },
      { total: 0 },
    ]);
    expect(stages[0]).not.toHaveProperty('total');
    const refused = await call('DELETE', `/api/pipeline/${pipelineId}/stages/${stageIds[0]}`);
    expect([refused.status, refused.body.cards]).toEqual([409, 1_001]);
  });

  it('are few for sweeps that find nothing', async () => {
    const database = api.service.app.get(Database);
    expect(await blocks.of(() => new FailedRowsSweep(database).tick())).toBeLessThanOrEqual(MORE_LEVELS);
    expect(await blocks.of(() => new StagedRowsSweep(database).tick())).toBeLessThanOrEqual(MORE_LEVELS);
  });
});
