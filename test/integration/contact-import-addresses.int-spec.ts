import { randomUUID } from 'node:crypto';
import type { ImportRules } from '../../src/contacts/csv/dto/import-contacts.dto.js';
import { importDirectly } from '../support/import-directly.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

type Rules = Partial<ImportRules>;

describe('email addresses of an import', () => {
  let test: TestDatabase;
  let organizationId: string;

  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(() => test.drop());
  beforeEach(() => {
    organizationId = randomUUID();
  });

  const bring = (rows: readonly string[], rules: Rules = {}, header = 'name,email,externalId') =>
    importDirectly(test.database, `${[header, ...rows].join('\n')}\n`, { organizationId, ...rules });

  /** Of live contacts: name, primary address, additional addresses. */
  const there = async () => {
    const rows = await test.database.query<{ line: string }>(
      `SELECT concat_ws(' ', coalesce(name, '-'), email, nullif(array_to_string(additional_emails, '+'), '')) AS line
       FROM contacts.contact WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id`,
      [organizationId],
    );
    return rows.map(({ line }) => line);
  };
  const codes = ({ errors }: Awaited<ReturnType<typeof bring>>) =>
    errors.map(({ row, code }) => `${row} ${code}`);

  const [A_AND_B, A_AND_C] = ['Ada,a@x.de b@x.de,', 'Ada,a@x.de c@x.de,'];

  it.each([
    ['update', ['Ada a@x.de b@x.de+c@x.de']],
    ['fill', ['Ada a@x.de b@x.de+c@x.de']],
    ['skip', ['Ada a@x.de b@x.de']],
  ] as const)('of several rows of one contact are merged: %s', async (duplicates, after) => {
    const report = await bring([A_AND_B, A_AND_C], { duplicates });
    expect(codes(report)).toEqual(['2 duplicate_in_file']);
    expect(await there()).toEqual(after);
  });

  it('are added to stored ones, and a second import changes nothing', async () => {
    await bring(['Ada,a@x.de z@x.de,']);
    const rows = [A_AND_B, A_AND_C, 'Ada,A@x.de B@x.de,'];
    expect((await bring(rows)).totals).toMatchObject({ updated: 3 });
    expect(await there()).toEqual(['Ada A@x.de z@x.de+b@x.de+c@x.de']);
    expect((await bring(rows)).totals).toMatchObject({ unchanged: 3 });
  });

  it.each([
    ['update', ['Ada b@x.de a@x.de+c@x.de']],
    ['fill', ['Ada a@x.de b@x.de+c@x.de']],
  ] as const)(
    'that are primary addresses of one external id are merged too: %s',
    async (duplicates, after) => {
      const rows = ['Ada,a@x.de,7', 'Ada,b@x.de c@x.de,7'];
      await bring(rows, { key: 'externalId', duplicates });
      expect((await there()).map((line) => line.replace('c@x.de+a@x.de', 'a@x.de+c@x.de'))).toEqual(after);
      expect((await bring(rows, { key: 'externalId', duplicates })).totals).toMatchObject({ unchanged: 2 });
    },
  );

  it('that are too many for one contact fail all of its rows', async () => {
    const rows = Array.from({ length: 11 }, (_, n) => `Ada,a@x.de b${n}@x.de c${n}@x.de,`);
    expect((await bring([...rows, 'Max,m@x.de,'])).totals).toMatchObject({ failed: 11, created: 1 });
  });

  describe('find the contact of an earlier row', () => {
    it.each<[string, readonly string[], readonly string[]]>([
      ['by its additional address', [A_AND_B, 'Ada L,b@x.de,'], ['Ada L a@x.de b@x.de']],
      ['in any case', [A_AND_B, 'Ada,B@X.de,'], ['Ada a@x.de b@x.de']],
      [
        'over several rows',
        [A_AND_B, 'Ada,b@x.de c@x.de,', 'Ada,c@x.de d@x.de,', 'Ada,d@x.de,'],
        ['Ada a@x.de b@x.de+c@x.de+d@x.de'],
      ],
      ['in a circle', [A_AND_B, 'Ada,b@x.de a@x.de,'], ['Ada a@x.de b@x.de']],
      [
        'of a shared mailbox by the name too',
        ['Ada,a@x.de info@x.de,', 'Ada,info@x.de,'],
        ['Ada a@x.de info@x.de'],
      ],
      [
        'of a shared mailbox not without the name',
        ['Ada,a@x.de info@x.de,', 'Max,info@x.de,'],
        ['Ada a@x.de info@x.de', 'Max info@x.de'],
      ],
      ['not of a later row', ['Ada,b@x.de,', A_AND_B], ['Ada b@x.de', 'Ada a@x.de b@x.de']],
      [
        'not where two people have it',
        ['Ada,a@x.de family@x.de,', 'Max,m@x.de family@x.de,', 'Eva,family@x.de,'],
        ['Ada a@x.de family@x.de', 'Max m@x.de family@x.de', 'Eva family@x.de'],
      ],
    ])('%s', async (_, rows, after) => {
      for (const duplicates of ['update', 'fill', 'skip'] as const) {
        organizationId = randomUUID();
        await bring(rows, { duplicates });
        const found = await there();
        if (duplicates === 'update') expect(found).toEqual(after);
        await bring(rows, { duplicates });
        expect(await there()).toEqual(found);
      }
    });

    it('as in separate files', async () => {
      const rows = [A_AND_B, 'Ada,b@x.de c@x.de,', 'Max,m@x.de,', 'Ada,c@x.de,', 'Eva,e@x.de m@x.de,'];
      await bring(rows);
      const inOneFile = await there();
      organizationId = randomUUID();
      for (const row of rows) await bring([row]);
      expect(await there()).toEqual(inOneFile);
      expect(inOneFile).toHaveLength(3);
    });

    it('but not that of a row that is skipped', async () => {
      const rows = [A_AND_B, 'Ada,b@x.de c@x.de,', 'Ada,c@x.de d@x.de,', 'Ada,d@x.de,'];
      const { totals } = await bring(rows, { duplicates: 'skip' });
      expect(totals).toMatchObject({ created: 2, skippedDuplicate: 2 });
      expect(await there()).toEqual(['Ada a@x.de b@x.de', 'Ada c@x.de d@x.de']);
    });

    it('and not with duplicates create', async () => {
      await bring([A_AND_B, 'Ada,b@x.de,'], { duplicates: 'create' });
      expect(await there()).toHaveLength(2);
    });

    it('for a chain of any length', async () => {
      const rows = Array.from({ length: 60 }, (_, n) => `Ada,a${n}@x.de a${n + 1}@x.de,`);
      const { totals } = await bring(rows);
      expect(totals.rowsRead).toBe(60);
    });
  });

  it('that are additional ones of a contact find it', async () => {
    await bring([A_AND_B]);
    expect((await bring(['Ada L,b@x.de,'])).totals).toMatchObject({ updated: 1 });
    expect(await there()).toEqual(['Ada L a@x.de b@x.de']);
  });

  describe('that belong to two contacts', () => {
    const WARNING = {
      code: 'address_of_two_contacts',
      message: expect.stringMatching(/^1 address belongs to two contacts/),
      secondBest: null,
    };

    it('merge neither of them, and the report names their lines', async () => {
      await bring(['Ada,a@x.de,', 'Max,b@x.de,']);
      const report = await bring(['Eva,e@x.de,', A_AND_B, 'Max M,b@x.de,']);
      expect(report).toMatchObject({
        totals: { created: 1, updated: 2 },
        warnings: [{ ...WARNING, lines: [3] }],
      });
      expect(await there()).toEqual(['Ada a@x.de b@x.de', 'Max M b@x.de', 'Eva e@x.de']);
    });

    it.each([[['Ada,b@x.de,', A_AND_B], [3]]])('of one file: %j', async (rows, lines) => {
      expect((await bring(rows)).warnings).toEqual([{ ...WARNING, lines }]);
      expect((await bring(rows)).warnings).toEqual([{ ...WARNING, lines }]);
    });

    it('are not those of a deleted contact, of another organization, or of the contact itself', async () => {
      await bring(['Max,b@x.de,']);
      organizationId = randomUUID();
      await bring(['Max,b@x.de,']);
      await test.database.query('UPDATE contacts.contact SET deleted_at = now() WHERE organization_id = $1', [
        organizationId,
      ]);
      expect((await bring([A_AND_B, A_AND_C])).warnings).toEqual([]);
      organizationId = randomUUID();
      expect((await bring([A_AND_B, 'Ada,b@x.de,'])).warnings).toEqual([]);
    });
  });

  it('and postal addresses of common columns are imported unchanged', async () => {
    const header = 'Name,Email,Address,City,State,Zip,Country';
    await bring(['Ada,a@x.de / b@x.de,1 Main St,Austin,TX,78701,USA'], {}, header);
    const rows = await test.database.query(
      `SELECT name, email, additional_emails AS additional, addresses FROM contacts.contact WHERE organization_id = $1`,
      [organizationId],
    );
    expect(rows).toEqual([
      {
        name: 'Ada',
        email: 'a@x.de',
        additional: ['b@x.de'],
        addresses: [
          {
            label: null,
            street: '1 Main St',
            city: 'Austin',
            region: 'TX',
            postalCode: '78701',
            country: 'USA',
          },
        ],
      },
    ]);
  });
});
