import fc from 'fast-check';
import type { RecordedEvent } from '#libs/event-store';
import { auditEntryOf, canonicalJson } from '../../src/content-ops/domain/audit-entry.js';
import { addToAudit } from '../../src/content-ops/audit/audit-log.js';
import { recordedEvents } from '../support/recorded-events.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const BRANDS = ['11111111-0000-7000-8000-000000000001', '11111111-0000-7000-8000-000000000002'] as const;
const ORGANIZATION = '22222222-0000-7000-8000-000000000001';

interface Fault {
  chain: string;
  entry: string | null;
  event_id: string | null;
  fault: string;
}

describe('the audit', () => {
  let test: TestDatabase;
  let events: RecordedEvent[];

  const record = (some: RecordedEvent[]) =>
    test.database.transaction(async (transaction) => {
      await transaction.query("SET LOCAL search_path = 'content_ops'");
      await addToAudit(transaction, some.map(auditEntryOf));
    });
  const faults = () =>
    test.database.query<Fault>('SELECT * FROM content_ops.audit_faults() ORDER BY fault, entry');
  const rows = () =>
    test.database.query<{ entry: string; chain: string; event_id: string; hash: Buffer }>(
      'SELECT entry, chain, event_id, hash FROM content_ops.audit_event ORDER BY entry',
    );

  /** As somebody would who owns the tables. */
  const tamper = (sql: string, values: unknown[] = []) =>
    test.database.transaction(async (transaction) => {
      await transaction.query("SET LOCAL session_replication_role = 'replica'");
      await transaction.query(sql, values);
    });

  beforeEach(async () => {
    test = await createTestDatabase({ poolSize: 4 });
    events = recordedEvents([
      { brandId: BRANDS[0] },
      { brandId: BRANDS[1] },
      {
        brandId: BRANDS[0],
        data: { text: 'Grüße, 世界 \u0001 "quoted"\n', nested: { z: [1, 2.5, null], a: true } },
      },
      { brandId: null },
      { brandId: BRANDS[0] },
      { brandId: BRANDS[1] },
      { brandId: BRANDS[0] },
      { brandId: null, organizationId: null },
    ]);
  });

  afterEach(() => test.drop());

  describe('left alone', () => {
    it('is complete for every batching', async () => {
      await record(events.slice(0, 3));
      await record(events.slice(3));
      expect(await faults()).toEqual([]);
      expect((await rows()).map((row) => [row.entry, row.chain])).toEqual([
        ['1', `brand:${BRANDS[0]}`],
        ['2', `brand:${BRANDS[1]}`],
        ['3', `brand:${BRANDS[0]}`],
        ['4', `organization:${ORGANIZATION}`],
        ['5', `brand:${BRANDS[0]}`],
        ['6', `brand:${BRANDS[1]}`],
        ['7', `brand:${BRANDS[0]}`],
        ['8', 'platform'],
      ]);
    });

    it('is byte for byte the same after a rebuild, in single or large batches', async () => {
      for (const event of events) await record([event]);
      const oneByOne = await rows();
      await tamper('TRUNCATE content_ops.audit_event, content_ops.audit_chain');
      await record(events);
      expect(await rows()).toEqual(oneByOne);
    });

    it('refuses an event that it holds already', async () => {
      await record(events);
      await expect(record(events.slice(0, 1))).rejects.toThrow(/audit_event_event_id_key/);
    });
  });

  describe('refuses', () => {
    beforeEach(() => record(events));

    it.each([
      "UPDATE content_ops.audit_event SET kind = 'post.published'",
      'DELETE FROM content_ops.audit_event WHERE entry = 8',
      'TRUNCATE content_ops.audit_event',
      'DELETE FROM content_ops.audit_chain',
      'TRUNCATE content_ops.audit_chain',
    ])('%s', async (sql) => {
      await expect(test.database.query(sql)).rejects.toThrow('is append-only');
      expect(await rows()).toHaveLength(events.length);
    });
  });

  describe('a row that was changed by hand is reported with its position', () => {
    const chain = `brand:${BRANDS[0]}`;

    beforeEach(() => record(events));

    it.each([
      ["kind = 'post.published'"],
      ["at = at + interval '1 millisecond'"],
      ["actor_id = 'somebody else'"],
      ['details = details || \'{"text": "rewritten"}\''],
      ['request_id = NULL'],
      ["organization_id = '22222222-0000-7000-8000-000000000009'"],
      ['event_id = gen_random_uuid()'],
    ])('an altered row: %s', async (change) => {
      await tamper(`UPDATE content_ops.audit_event SET ${change} WHERE entry = 3`);
      expect(await faults()).toMatchObject([{ chain, entry: '3', fault: 'altered' }]);
    });

    it('an altered row with a recomputed hash', async () => {
      await tamper("UPDATE content_ops.audit_event SET kind = 'post.published' WHERE entry = 3");
      await tamper('UPDATE content_ops.audit_event e SET hash = content_ops.audit_hash(e) WHERE entry = 3');
      expect(await faults()).toMatchObject([{ chain, entry: '5', fault: 'not_linked' }]);
    });

    it('the first row removed', async () => {
      await tamper('DELETE FROM content_ops.audit_event WHERE entry = 1');
      expect(await faults()).toMatchObject([
        { chain, entry: '3', fault: 'not_linked' },
        { chain, fault: 'rows_missing' },
      ]);
    });

    it('a row in the middle removed', async () => {
      await tamper('DELETE FROM content_ops.audit_event WHERE entry = 5');
      expect(await faults()).toMatchObject([
        { chain, entry: '7', fault: 'not_linked' },
        { chain, fault: 'rows_missing' },
      ]);
    });

    it('the last row removed', async () => {
      await tamper('DELETE FROM content_ops.audit_event WHERE entry = 7');
      expect(await faults()).toMatchObject([{ chain, entry: '5', fault: 'rows_missing' }]);
    });

    it('a whole chain removed', async () => {
      await tamper('DELETE FROM content_ops.audit_event WHERE chain = $1', [chain]);
      expect(await faults()).toMatchObject([{ chain, entry: null, fault: 'rows_missing' }]);
    });

    it('two rows that changed places', async () => {
      await tamper('UPDATE content_ops.audit_event SET entry = -entry WHERE entry IN (5, 7)');
      await tamper('UPDATE content_ops.audit_event SET entry = 12 + entry WHERE entry < 0');
      expect((await faults()).map((fault) => fault.fault)).toContain('not_linked');
    });

    it('a row slipped in at the end, hashed as it should be', async () => {
      await tamper(`INSERT INTO content_ops.audit_event
        SELECT (jsonb_populate_record(last, jsonb_build_object('entry', 9, 'event_id', gen_random_uuid(), 'previous_hash', last.hash))).*
        FROM content_ops.audit_event last WHERE entry = 7`);
      await tamper('UPDATE content_ops.audit_event e SET hash = content_ops.audit_hash(e) WHERE entry = 9');
      expect(await faults()).toMatchObject([{ chain, entry: '9', fault: 'rows_added' }]);
    });

    it('the head of a chain removed or rewritten', async () => {
      await tamper('DELETE FROM content_ops.audit_chain WHERE chain = $1', [chain]);
      await tamper("UPDATE content_ops.audit_chain SET hash = sha256('') WHERE chain = 'platform'");
      expect(await faults()).toMatchObject([
        { chain: 'platform', fault: 'end_differs' },
        { chain, fault: 'rows_added' },
      ]);
    });

    it('in one requested chain, also after further events', async () => {
      await tamper('DELETE FROM content_ops.audit_event WHERE entry = 7');
      await record(recordedEvents([{ brandId: BRANDS[0] }]));
      const about = (one: string) =>
        test.database.query<Fault>('SELECT fault FROM content_ops.audit_faults($1)', [one]);
      expect(await about(`brand:${BRANDS[1]}`)).toEqual([]);
      expect(await about(chain)).toEqual([{ fault: 'not_linked' }, { fault: 'rows_missing' }]);
    });
  });

  it('is hashed over the same bytes by the database and by the program, for any JSON', async () => {
    const value = fc
      .jsonValue({ stringUnit: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(isStorable) })
      .map((any): unknown => JSON.parse(JSON.stringify(any)))
      .filter((any) => !/\d[eE][+-]?\d/.test(JSON.stringify(any)));
    await fc.assert(
      fc.asyncProperty(value, async (any) => {
        const [row] = await test.database.query<{ text: string }>(
          'SELECT content_ops.canonical_json($1::jsonb) AS text',
          [JSON.stringify(any)],
        );
        expect(row?.text).toBe(canonicalJson(any));
      }),
      { numRuns: 300 },
    );
  });
});

/** What PostgreSQL's jsonb takes, and what sorts alike by UTF-16 code unit and by code point. */
function isStorable(character: string): boolean {
  return character !== '\u0000' && (character.codePointAt(0) ?? 0) <= 0xffff && character.isWellFormed();
}
