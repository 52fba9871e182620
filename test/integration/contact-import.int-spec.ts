import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { Client } from 'pg';
import type { Database } from '#libs/database';
import type { GivenMapping } from '../../src/contacts/csv/columns/map-columns.js';
import { copyRows, withValues } from '../../src/contacts/csv/export/copy-rows.js';
import { FailedRowsSweep } from '../../src/contacts/csv/import/import.sweeps.js';
import { ImportLock } from '../../src/contacts/csv/import/import-lock.js';
import {
  DUPLICATES,
  type ImportRules,
  ON_DELETED_MATCH,
} from '../../src/contacts/csv/dto/import-contacts.dto.js';
import { COPY_ROWS } from '../../src/contacts/csv/import/staging.statements.js';
import { CsvFile } from '../../src/contacts/csv/reading/csv-file.js';
import { importDirectly, onDisk } from '../support/import-directly.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

type Person = {
  name: string | null;
  email: string | null;
  company: string | null;
  externalId: string | null;
  tags: string[];
};
type Rules = Pick<ImportRules, 'duplicates' | 'key'>;

const says = ({ name, email, company }: Person) => name !== null || email !== null || company !== null;

/** By what a row of a file is known. */
function keyOf(row: Person, rows: readonly Person[], by: ImportRules['key']): string | undefined {
  const { email, externalId } = row;
  if (by === 'externalId') return externalId ?? undefined;
  if (email !== null) return ofAddress(row);
  if (externalId === null) return ofCompany(row);
  const withAddress = rows.find((other) => other.externalId === externalId && other.email !== null);
  return withAddress ? ofAddress(withAddress) : `#${externalId}`;
}

const ofCompany = ({ name, company }: Person) => (company === null ? undefined : `~${company} ${name ?? ''}`);

const ofAddress = ({ email, name }: Person) => {
  const key = (email ?? '').toLowerCase();
  return key.startsWith('info@') ? `${key} ${name ?? ''}` : key;
};

/** The contacts with the key; without a name on either side, the mailbox decides if it is unambiguous in the file. */
function holding(
  contacts: readonly Person[],
  key: string,
  by: ImportRules['key'],
  keys: readonly (string | undefined)[],
): number[] {
  const where = (holds: (one: Person) => boolean) => contacts.flatMap((one, n) => (holds(one) ? [n] : []));
  if (by === 'externalId') return where(({ externalId }) => externalId === key);
  if (key.startsWith('#')) return where(({ externalId }) => `#${externalId ?? ''}` === key);
  if (key.startsWith('~')) return where((one) => one.email === null && ofCompany(one) === key);
  const same = where((one) => one.email !== null && ofAddress(one) === key);
  const [mailbox = '', name] = key.split(' ');
  const isOnly = keys.every((other) => other === key || !other?.startsWith(`${mailbox} `));
  if (same.length > 0 || name === undefined || !isOnly) return same;
  return where((one) => one.email?.toLowerCase() === mailbox && (name === '' || one.name === null));
}

/** What one row after the other would do, written down as simply as it can be. */
class Model {
  readonly contacts: Person[] = [];
  readonly totals: Record<string, number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    skippedDuplicate: 0,
    failed: 0,
  };

  import(rows: readonly Person[], { duplicates, key: by }: Rules): void {
    const before = structuredClone(this.contacts);
    const keys = rows.map((row) => (duplicates === 'create' ? undefined : keyOf(row, rows, by)));
    const added = new Map<string, number>();
    const touched = new Map<number, number>();
    const count = (outcome: string, by = 1) => (this.totals[outcome] = (this.totals[outcome] ?? 0) + by);
    for (const [at, row] of rows.entries()) {
      const key = keys[at];
      const found = key === undefined ? [] : holding(before, key, by, keys);
      const index = found[0] ?? (key === undefined ? undefined : added.get(key));
      const isSaid = rows.some(
        (other, n) =>
          (n === at || (duplicates !== 'skip' && keys[n] === key && key !== undefined)) && says(other),
      );
      if (found.length > 1) count('failed');
      else if (index !== undefined && duplicates === 'skip') count('skippedDuplicate');
      else if (index !== undefined) {
        this.merge(row, index, duplicates);
        touched.set(index, (touched.get(index) ?? 0) + 1);
      } else if (!isSaid) count('failed');
      else {
        const created = this.contacts.push(structuredClone(row)) - 1;
        if (key !== undefined) added.set(key, created);
        count('created');
      }
    }
    for (const [index, times] of touched) {
      const isNew = index >= before.length;
      const isSame = JSON.stringify(before[index]) === JSON.stringify(this.contacts[index]);
      count(!isNew && isSame ? 'unchanged' : 'updated', times);
    }
  }

  private merge(row: Person, index: number, duplicates: ImportRules['duplicates']): void {
    const there = this.contacts[index] as Person;
    const fills = duplicates === 'fill';
    for (const field of ['name', 'email', 'company', 'externalId'] as const)
      there[field] = fills ? (there[field] ?? row[field]) : (row[field] ?? there[field]);
    const keeps = row.tags.length === 0 || (fills && there.tags.length > 0);
    if (!keeps) there.tags = [...new Set([...there.tags, ...row.tags])];
  }
}

describe('an import', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = test.database;
  });
  afterAll(() => test.drop());

  const bring = (
    organizationId: string,
    text: string,
    rules: Partial<ImportRules> & { mapping?: GivenMapping } = {},
    lock = new ImportLock(database),
  ) => importDirectly(database, text, { organizationId, ...rules }, lock);

  const person: fc.Arbitrary<Person> = fc.record({
    name: fc.option(fc.constantFrom('Jana', 'Max', 'Anna'), { freq: 2 }),
    email: fc.option(fc.constantFrom('a@example.com', 'A@example.com', 'b@example.com', 'info@example.com'), {
      freq: 3,
    }),
    company: fc.option(fc.constantFrom('Acme', 'Other')),
    externalId: fc.option(fc.constantFrom('1', '2')),
    tags: fc.subarray(['x', 'y']),
  });
  const line = ({ name, email, company, externalId, tags }: Person) =>
    [name, email, company, externalId, tags.join(';'), 'z'].map((cell) => cell ?? '').join(',');
  const rules: fc.Arbitrary<Rules> = fc.oneof(
    fc.record({ key: fc.constant('email' as const), duplicates: fc.constantFrom(...DUPLICATES) }),
    // A failed row can precede one of the same key. Merged they are one contact.
    fc.constant({ key: 'externalId' as const, duplicates: 'skip' as const }),
  );
  const step = fc.record({ rows: fc.array(person, { maxLength: 8 }), rules });

  it('does what one row after the other would do, and its totals add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        const [organizationId, model] = [randomUUID(), new Model()];
        const totals: Record<string, number> = {};
        for (const { rows, rules } of steps) {
          model.import(rows, rules);
          const file = `name,email,company,externalId,tags,other\n${rows.map((row) => `${line(row)}\n`).join('')}`;
          const report = await bring(organizationId, file, rules);
          const { rowsRead, ...others } = report.totals;
          expect(Object.values(others).reduce((sum, n) => sum + n, 0)).toBe(rowsRead);
          expect(rowsRead).toBe(rows.length);
          for (const [outcome, n] of Object.entries(others)) totals[outcome] = (totals[outcome] ?? 0) + n;
        }
        expect(totals).toMatchObject(model.totals);
        const stored = await database.query<Person>(
          'SELECT name, email, company, external_id AS "externalId", tags FROM contacts.contact WHERE organization_id = $1 ORDER BY id',
          [organizationId],
        );
        expect(stored).toEqual(model.contacts);
      }),
      { numRuns: 60 },
    );
  });

  type There = readonly ('live' | 'deleted')[];

  /** Of one address; the later ones were deleted later. @returns their ids */
  async function contactsThere(organizationId: string, there: There): Promise<string[]> {
    const ids = there.map(() => randomUUID());
    for (const [n, state] of there.entries())
      await database.query(
        `INSERT INTO contacts.contact (id, organization_id, name, email, email_key, deleted_at)
         VALUES ($1, $2, 'Jane', 'jane@example.com', 'jane@example.com', now() - $3::int * interval '1 hour')`,
        [ids[n], organizationId, state === 'deleted' ? there.length - n : null],
      );
    return ids;
  }

  const aliveIn = async (organizationId: string) => {
    const alive = 'SELECT id FROM contacts.contact WHERE organization_id = $1 AND deleted_at IS NULL';
    return (await database.query<{ id: string }>(alive, [organizationId])).map(({ id }) => id);
  };

  const KNOWN = ['update', 'fill', 'skip'] as const;
  const ANY = ON_DELETED_MATCH;

  describe.each<{
    finds: string;
    there: There;
    /** The row names the last of them by its id. */
    byId?: boolean;
    rules: readonly (readonly [
      duplicates: readonly ImportRules['duplicates'][],
      onDeletedMatch: readonly ImportRules['onDeletedMatch'][],
      outcome: string,
      code: string | null,
      alive: number,
    ])[];
  }>([
    {
      finds: 'no contact',
      there: [],
      rules: [[DUPLICATES, ANY, 'created', null, 1]],
    },
    {
      finds: 'a live contact and deleted ones',
      there: ['deleted', 'live'],
      rules: [
        [['update', 'fill'], ANY, 'updated', null, 1],
        [['skip'], ANY, 'skippedDuplicate', 'duplicate_existing', 1],
        [['create'], ANY, 'created', null, 2],
      ],
    },
    {
      finds: 'several live ones',
      there: ['live', 'live'],
      rules: [
        [KNOWN, ANY, 'failed', 'ambiguous_match', 2],
        [['create'], ANY, 'created', null, 3],
      ],
    },
    {
      finds: 'one of several live ones by its id',
      there: ['live', 'live'],
      byId: true,
      rules: [
        [['update', 'fill'], ANY, 'updated', null, 2],
        [['skip'], ANY, 'skippedDuplicate', 'duplicate_existing', 2],
        [['create'], ANY, 'created', null, 3],
      ],
    },
    {
      finds: 'deleted ones only',
      there: ['deleted', 'deleted'],
      rules: [
        [KNOWN, ['restore'], 'updated', 'matches_deleted', 1],
        [KNOWN, ['create'], 'created', 'matches_deleted', 1],
        [KNOWN, ['skip'], 'skippedDuplicate', 'matches_deleted', 0],
        [['create'], ANY, 'created', null, 1],
      ],
    },
    {
      finds: 'a deleted one by its id and live ones by the key',
      there: ['live', 'deleted'],
      byId: true,
      rules: [
        [KNOWN, ['restore'], 'updated', 'matches_deleted', 2],
        [KNOWN, ['create'], 'created', 'matches_deleted', 2],
        [KNOWN, ['skip'], 'skippedDuplicate', 'matches_deleted', 1],
        [['create'], ANY, 'created', null, 2],
      ],
    },
  ])('of a row that finds $finds', ({ there, byId = false, rules }) => {
    it.each(rules)(
      'with duplicates %j and onDeletedMatch %j: %s, %s',
      async (duplicatesOf, onDeletedMatchOf, outcome, code, alive) => {
        for (const duplicates of duplicatesOf)
          for (const onDeletedMatch of onDeletedMatchOf) {
            const organizationId = randomUUID();
            const last = (await contactsThere(organizationId, there)).at(-1) ?? '';
            const file = `id,name,email,company\n${byId ? last : ''},Jane Doe,jane@example.com,Acme\n`;
            const report = await bring(organizationId, file, { duplicates, onDeletedMatch });
            expect(report.totals).toMatchObject({ rowsRead: 1, [outcome]: 1 });
            expect(report.errors.map((one) => one.code)).toEqual(code === null ? [] : [code]);
            const ids = await aliveIn(organizationId);
            expect(ids).toHaveLength(alive);
            // Of deleted contacts the last one is restored.
            if (outcome === 'updated') expect(ids).toContain(last);
          }
      },
    );
  });

  /** Concurrent changes: `others` runs between every plan and its merge. */
  function overtakenBy(others: () => Promise<unknown>): ImportLock {
    const lock = new ImportLock(database);
    const exclusively = lock.exclusively.bind(lock);
    lock.exclusively = (organizationId, upload, work) =>
      exclusively(organizationId, upload, (turn) => {
        const merge = turn.merge.bind(turn);
        turn.merge = async (writing) => {
          await others();
          return merge(writing);
        };
        return work(turn);
      });
    return lock;
  }

  const stored = (organizationId: string) =>
    database.query(
      'SELECT name, email, company, version FROM contacts.contact WHERE organization_id = $1 ORDER BY id',
      [organizationId],
    );

  it('plans again when a contact was changed after the plan', async () => {
    const organizationId = randomUUID();
    await bring(organizationId, 'name,email\nJane,jane@example.com\n');
    let times = 0;
    const lock = overtakenBy(async () => {
      times += 1;
      if (times > 1) return;
      await database.query(
        `UPDATE contacts.contact SET company = 'Acme', version = version + 1 WHERE organization_id = $1`,
        [organizationId],
      );
    });
    const report = await bring(organizationId, 'name,email\nJane Doe,jane@example.com\n', {}, lock);
    expect([times, report.totals.updated]).toEqual([2, 1]);
    expect(await stored(organizationId)).toEqual([
      { name: 'Jane Doe', email: 'jane@example.com', company: 'Acme', version: 3 },
    ]);
  });

  it('succeeds despite frequent concurrent changes', async () => {
    const organizationId = randomUUID();
    await bring(organizationId, 'name,email\nJane,jane@example.com\nMax,max@example.com\n');
    let times = 0;
    const lock = overtakenBy(async () => {
      times += 1;
      await database.query(
        `UPDATE contacts.contact SET company = $2, version = version + 1
         WHERE organization_id = $1 AND name = 'Jane'`,
        [organizationId, `Company ${times}`],
      );
    });
    const file = 'name,email\nJane Doe,jane@example.com\nMaximilian,max@example.com\n';
    const report = await bring(organizationId, file, {}, lock);
    expect(report.totals).toMatchObject({ rowsRead: 2, updated: 2 });
    expect(await stored(organizationId)).toEqual([
      {
        name: 'Jane Doe',
        email: 'jane@example.com',
        company: `Company ${times}`,
        version: times + 2,
      },
      { name: 'Maximilian', email: 'max@example.com', company: null, version: 2 },
    ]);
  });

  it('matches another contact when the matched one changes its address or is deleted', async () => {
    for (const change of [
      `UPDATE contacts.contact SET email = $2, email_key = $2, version = version + 1`,
      `DELETE FROM contacts.contact`,
    ]) {
      const organizationId = randomUUID();
      let times = 0;
      const lock = overtakenBy(async () => {
        times += 1;
        const changed = await database.query(
          `WITH who AS (SELECT id FROM contacts.contact WHERE organization_id = $1 AND email_key = 'jane@example.com')
           ${change} WHERE id IN (SELECT id FROM who) AND $2::text IS NOT NULL RETURNING id`,
          [organizationId, `other${times}@example.com`],
        );
        expect(changed.length).toBeLessThanOrEqual(1);
        await database.query(
          `INSERT INTO contacts.contact (id, organization_id, name, email, email_key)
           VALUES ($2, $1, 'Next', 'jane@example.com', 'jane@example.com')`,
          [organizationId, randomUUID()],
        );
      });
      await bring(organizationId, 'name,email\nJane,jane@example.com\n');
      const report = await bring(organizationId, 'name,email\nJane Doe,jane@example.com\n', {}, lock);
      expect(report.totals).toMatchObject({ rowsRead: 1, updated: 1 });
      const found = await stored(organizationId);
      expect(found).toContainEqual({
        name: 'Jane Doe',
        email: 'jane@example.com',
        company: null,
        version: 2,
      });
      expect(found).not.toContainEqual(expect.objectContaining({ name: 'Next', email: 'jane@example.com' }));
    }
  });

  it('keeps failed rows for two weeks and then nothing of them', async () => {
    const organizationId = randomUUID();
    const { importId } = await bring(organizationId, 'name,email\n,nobody\n');
    const sweep = new FailedRowsSweep(database);
    const left = () =>
      database.query('SELECT row FROM contacts.import_failed_row WHERE import_id = $1', [importId]);
    await sweep.tick();
    expect(await left()).toHaveLength(1);
    await database.query(
      `UPDATE contacts.contact_import SET created_at = now() - interval '15 days' WHERE id = $1`,
      [importId],
    );
    await sweep.tick();
    expect(await left()).toHaveLength(0);
    const [row] = await database.query<{ report: object }>(
      'SELECT report FROM contacts.contact_import WHERE id = $1',
      [importId],
    );
    expect(row?.report).toMatchObject({
      totals: { failed: 1 },
      errors: [],
      errorsTruncated: true,
      failedRows: null,
    });
  });

  it('reads and sends rows of any size in pieces, each cell as it is', async () => {
    const [organizationId, ROWS, COLUMNS] = [randomUUID(), 60, 50];
    const columns = Array.from({ length: COLUMNS }, (_, n) => `c${n}`);
    const cell = `${'\\\t'.repeat(450)}.`;
    const rows = Array.from({ length: ROWS }, (_, n) => [`Row ${n}`, ...columns.map(() => cell)].join(','));
    const text = [['name', ...columns].join(','), ...rows, ''].join('\n');
    const query = jest.spyOn(Client.prototype, 'query');
    const { totals } = await bring(organizationId, text, {
      mapping: { name: 'name', ...Object.fromEntries(columns.map((one) => [one, `customFields.${one}`])) },
    });
    const copies = query.mock.calls.filter(([one]) => (one as { text?: string } | null)?.text === COPY_ROWS);
    query.mockRestore();
    expect(totals).toMatchObject({ rowsRead: ROWS, created: ROWS });
    // Both kept as they are written and as JSON, every sign takes two characters and more.
    expect(copies.length).toBeGreaterThan((2 * 2 * text.length) / (3 * 1024 * 1024));
    const [stored] = await database.query<{ same: number }>(
      `SELECT count(*)::int AS same FROM contacts.contact, jsonb_each_text(custom_fields)
       WHERE organization_id = $1 AND value = $2`,
      [organizationId, cell],
    );
    expect(stored).toEqual({ same: ROWS * COLUMNS });

    const batches: number[] = [];
    await onDisk(text, async (spool) => {
      const file = await CsvFile.open(spool, {});
      for await (const batch of file.rows([])) batches.push(batch.length);
    });
    expect(batches.reduce((sum, count) => sum + count, 0)).toBe(ROWS);
    expect(Math.max(...batches) * (rows[0] as string).length).toBeLessThan(1024 * 1024);
  });

  it('is refused by the database when its numbers do not add up', async () => {
    const { importId } = await bring(randomUUID(), 'name\nJana\n');
    await expect(
      database.query('UPDATE contacts.contact_import SET created = created + 1 WHERE id = $1', [importId]),
    ).rejects.toThrow('contact_import_adds_up');
  });

  it('gives the export every text unchanged, independent of the encoding on the wire', async () => {
    const signs = fc.constantFrom(
      '\\',
      '\t',
      '\n',
      '\r',
      '\b',
      '\f',
      '\v',
      '\\N',
      'n',
      '\u0001',
      '"',
      ',',
      '😀',
    );
    const texts = fc.sample(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.array(signs).map((parts) => parts.join('')),
      ),
      500,
    );
    const clean = texts.map((text) => text.replaceAll('\0', '').toWellFormed());
    const query = withValues(
      'SELECT text, NULL, 1 FROM unnest($1::text[]) WITH ORDINALITY AS one (text, n) ORDER BY n',
      [clean],
    );
    const found = async (sql: string) => {
      const rows: string[][] = [];
      await copyRows(database, sql, (some) => rows.push(...some));
      return rows;
    };
    expect(await found(query)).toEqual(clean.map((text) => [text, '', '1']));
    expect(await found(`${query} LIMIT 0`)).toEqual([]);
  });
});
