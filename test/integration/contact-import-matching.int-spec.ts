import { randomUUID } from 'node:crypto';
import { ContactSearch } from '../../src/contacts/queries/contacts.search.js';
import { ExportContacts, ExportContactsHandler } from '../../src/contacts/csv/export/export-contacts.js';
import type { ImportRules } from '../../src/contacts/csv/dto/import-contacts.dto.js';
import { importDirectly } from '../support/import-directly.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

type Rules = Partial<ImportRules>;

describe('a row of an import finds its contact', () => {
  let test: TestDatabase;
  let organizationId: string;

  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(() => test.drop());
  beforeEach(() => {
    organizationId = randomUUID();
  });

  const HEADER = 'name,email,externalId,phones,company';
  const bring = (rows: readonly string[], rules: Rules = {}) =>
    importDirectly(test.database, `${[HEADER, ...rows].join('\n')}\n`, { organizationId, ...rules });

  /** Live contacts as rows of HEADER, each with as many commas. */
  const there = async () => {
    const rows = await test.database.query<{ line: string }>(
      `SELECT concat_ws(',', coalesce(name, ''), coalesce(email, ''), coalesce(external_id, ''),
              array_to_string(phones, ';'), coalesce(company, '')) AS line
       FROM contacts.contact WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id`,
      [organizationId],
    );
    return rows.map(({ line }) => line);
  };
  const change = (set: string, where: string) =>
    test.database.query(`UPDATE contacts.contact SET ${set} WHERE organization_id = $1 AND ${where}`, [
      organizationId,
    ]);
  const codes = ({ errors }: Awaited<ReturnType<typeof bring>>) =>
    errors.map(({ row, code }) => `${row} ${code}`);
  const mustChangeNothing = async (rows: readonly string[]) => {
    const before = await there();
    expect((await bring(rows)).totals).toMatchObject({ rowsRead: rows.length, unchanged: rows.length });
    expect(await there()).toEqual(before);
  };

  const [JANA, MAX, EVA] = [
    'Jana Nováková,info@example.com,,,',
    'Max,info@example.com,,,',
    'Eva,INFO@example.com,,,',
  ];

  describe('of a role address', () => {
    it('by the full name too, within one file and when it comes again', async () => {
      const rows = [JANA, MAX, EVA];
      const report = await bring(rows);
      expect(report).toMatchObject({ totals: { created: 3 }, errors: [], warnings: [] });
      expect(await there()).toEqual(rows);
      await mustChangeNothing(rows);
      await mustChangeNothing(rows.toReversed());
    });

    it.each([
      [JANA, MAX],
      [MAX, JANA],
    ])('as %s, then as %s, in separate files', async (first, second) => {
      await bring([first]);
      expect((await bring([second])).totals).toMatchObject({ created: 1 });
      expect(await there()).toEqual([first, second]);
      await mustChangeNothing([second]);
    });

    it('independent of case, accents, full stops and spaces of the name, but not of word order', async () => {
      await bring([JANA]);
      const rows = ['NOVAKOVA  Jana,info@example.com,,,', 'jana. novakova,Info@example.com,,,Acme'];
      const { totals } = await bring(rows);
      expect(totals).toMatchObject({ created: 1, updated: 1 });
      expect(await there()).toEqual([
        'jana. novakova,Info@example.com,,,Acme',
        'NOVAKOVA  Jana,info@example.com,,,',
      ]);
    });

    it.each([
      ['Jürgen Müller', 'Müller, Jürgen'],
      ['Müller, Jürgen', 'jurgen  muller'],
      ['Anna Maria van der Berg', 'van der Berg, Anna Maria'],
      ['John Smith Jr.', 'Smith, John, Jr.', 2],
      ['Smith, Jr.', 'Jr. Smith', 2],
      ['Acme, Inc.', 'Inc. Acme', 2],
      ['Acme, GmbH & Co. KG', 'GmbH & Co. KG Acme', 2],
      ['Müller, ', ', Müller'],
      ['Martin Pavel', 'Pavel Martin', 2],
      ['Pavel, Martin', 'Pavel Martin', 2],
    ])('%s, then %s', async (first, second, contacts = 1) => {
      for (const [one, other] of [
        [first, second],
        [second, first],
      ])
        for (const rest of ['info@example.com,,,', ',,+49 30 1234567,']) {
          organizationId = randomUUID();
          await bring([`"${one}",${rest}`]);
          await bring([`"${other}",${rest}Acme`]);
          expect(await there()).toHaveLength(contacts);
          organizationId = randomUUID();
          await bring([`"${one}",${rest}`, `"${other}",${rest}`]);
          expect(await there()).toHaveLength(contacts);
        }
    });

    it('without a name: no contact with a name, when the file has names', async () => {
      const rows = [JANA, ',info@example.com,,,', MAX];
      expect((await bring(rows)).totals).toMatchObject({ created: 3 });
      await mustChangeNothing(rows);
      await mustChangeNothing(rows.toReversed());
    });

    it('without a name on one side by the address, where that leaves no doubt', async () => {
      await bring([JANA]);
      expect((await bring([',info@example.com,,,Acme'])).totals).toMatchObject({ updated: 1 });
      expect(await there()).toEqual([`${JANA}Acme`]);
      await bring([MAX]);
      const doubtful = await bring([',info@example.com,,,Other']);
      expect([doubtful.totals.failed, codes(doubtful)]).toEqual([1, ['1 ambiguous_match']]);

      organizationId = randomUUID();
      await bring([',info@example.com,,,']);
      expect((await bring([JANA])).totals).toMatchObject({ updated: 1 });
      expect(await there()).toEqual([JANA]);
    });

    it('among additional addresses, of the same name only', async () => {
      await bring(['Jana Nováková,jana@example.com,,,']);
      await change(
        `additional_emails = '{info@example.com}', additional_email_keys = '{info@example.com}'`,
        'true',
      );
      const { totals } = await bring([MAX, `${JANA}Acme`]);
      expect(totals).toMatchObject({ created: 1, updated: 1 });
      expect(await there()).toEqual(['Jana Nováková,jana@example.com,,,Acme', MAX]);
    });

    it.each<[ImportRules['duplicates'], object, string[]]>([
      ['update', { updated: 1, created: 1 }, [`${JANA}New`, `${MAX}Old`, `${EVA}New`]],
      ['fill', { unchanged: 1, created: 1 }, [`${JANA}Old`, `${MAX}Old`, `${EVA}New`]],
      ['skip', { skippedDuplicate: 1, created: 1 }, [`${JANA}Old`, `${MAX}Old`, `${EVA}New`]],
      ['create', { created: 2 }, [`${JANA}Old`, `${MAX}Old`, `${JANA}New`, `${EVA}New`]],
    ])('with duplicates %s', async (duplicates, totals, after) => {
      await bring([`${JANA}Old`, `${MAX}Old`]);
      expect((await bring([`${JANA}New`, `${EVA}New`], { duplicates })).totals).toMatchObject(totals);
      expect(await there()).toEqual(after);
    });

    it.each<[ImportRules['onDeletedMatch'], object, string[]]>([
      ['restore', { updated: 1, created: 1 }, [JANA, MAX, EVA]],
      ['create', { created: 2 }, [MAX, JANA, EVA]],
      ['skip', { skippedDuplicate: 1, created: 1 }, [MAX, EVA]],
    ])('that is deleted: %s', async (onDeletedMatch, totals, after) => {
      await bring([JANA, MAX]);
      await change('deleted_at = now()', `name LIKE 'Jana%'`);
      const report = await bring([JANA, EVA], { onDeletedMatch });
      expect(report.totals).toMatchObject(totals);
      expect(codes(report)).toEqual(['1 matches_deleted']);
      expect(await there()).toEqual(after);
    });

    it('not, where two of one name have it', async () => {
      await bring([JANA]);
      await bring([JANA, MAX], { duplicates: 'create' });
      const report = await bring([`${JANA}Acme`, MAX]);
      expect(report.totals).toMatchObject({ failed: 1, unchanged: 1 });
      expect(codes(report)).toEqual(['1 ambiguous_match']);
    });

    it('from an export, here and elsewhere, without a change', async () => {
      const rows = [JANA, MAX, EVA, ',info@example.com,,,', 'Jana Nováková,,7,+420 777 123 456,'];
      await bring(rows);
      const handler = new ExportContactsHandler(test.database, new ContactSearch(test.database));
      const what = { organizationIds: [organizationId], deleted: false, raw: false };
      const { text } = await handler.execute(new ExportContacts(what));
      const pieces: string[] = [];
      for await (const piece of text) pieces.push(piece);
      const exported = pieces.join('');
      const before = await there();
      const again = await importDirectly(test.database, exported, { organizationId });
      expect(again.totals).toMatchObject({ rowsRead: rows.length, unchanged: rows.length });
      organizationId = randomUUID();
      for (const outcome of ['created', 'unchanged']) {
        const { totals } = await importDirectly(test.database, exported, { organizationId });
        expect(totals).toMatchObject({ rowsRead: rows.length, [outcome]: rows.length });
      }
      expect((await there()).toSorted()).toEqual(before.toSorted());
    });
  });

  it.each([
    ['a company and a name', 'Jana Nováková,,,,Acme', 'Novakova Jana,,,,Acme', 'Jana Nováková,,,,ACME', 1],
    ['a company alone', ',,,,Acme', ',,,,Umbrella', ',,,,acme', 1],
    [
      'a company and a name',
      'Jana Nováková,ask Eva,,,Acme',
      'Eva,ask Jana,,,Acme',
      'Jana Nováková,,,,ACME',
      1,
    ],
    ['a phone alone', ',,,+420 601 000 333,', ',,,+420 601 000 444,', ',,,601000333,', 1],
  ])('by %s, where it has no address', async (_, row, other, again, count) => {
    expect((await bring([row, other])).totals).toMatchObject({ rowsRead: 2, created: 2 });
    await mustChangeNothing([row, other]);
    const { totals } = await bring([again, other]);
    expect([totals.created, totals.updated + totals.unchanged]).toEqual([0, 1 + count]);
    expect(await there()).toHaveLength(2);
  });

  it('not by the company of a contact that has an address', async () => {
    await bring(['Jana,jana@example.com,,,Acme']);
    expect((await bring(['Jana,,,,Acme'])).totals).toMatchObject({ created: 1 });
  });

  it('by an address whose domain is written in Punycode', async () => {
    await bring(['Jana,jana@müller.de,,,']);
    expect((await bring(['Jana,jana@xn--mller-kva.de,,,Acme'])).totals).toMatchObject({ updated: 1 });
    expect(await there()).toEqual(['Jana,jana@xn--mller-kva.de,,,Acme']);
  });

  describe('and updates its lists', () => {
    const lists = async () => {
      const [row] = await test.database.query<
        Record<'phones' | 'tags' | 'websites' | 'addresses', unknown[]>
      >(`SELECT phones, tags, websites, addresses FROM contacts.contact WHERE organization_id = $1`, [
        organizationId,
      ]);
      return row && { ...row, addresses: (row.addresses as { city: string }[]).map(({ city }) => city) };
    };
    const updating = (rows: string[], rules: Rules = {}) =>
      importDirectly(
        test.database,
        ['email,phones,tags,websites,addresses.1.city,addresses.2.city', ...rows].join('\n'),
        {
          organizationId,
          ...rules,
        },
      );
    const FIRST = 'a@example.com,+420 601 000 333,vip; old,a.example,Prague,Brno';
    const THEN = 'a@example.com,601000333; 602,VIP; new,b.example,Brno,Plzeň';

    it('by adding what they do not have, and says so', async () => {
      await updating([FIRST]);
      const { warnings, totals } = await updating([THEN]);
      expect(totals).toMatchObject({ updated: 1 });
      expect(warnings).toEqual([expect.objectContaining({ code: 'values_added', lines: [2] })]);
      const added = {
        phones: ['+420 601 000 333', '602'],
        tags: ['vip', 'old', 'new'],
        websites: ['a.example', 'b.example'],
        addresses: ['Prague', 'Brno', 'Plzeň'],
      };
      expect(await lists()).toEqual(added);
      for (const row of [FIRST, THEN]) expect((await updating([row])).totals).toMatchObject({ unchanged: 1 });
      expect(await lists()).toEqual(added);
    });

    it('of all rows about it', async () => {
      expect((await updating([FIRST, THEN])).totals).toMatchObject({ created: 1, updated: 1 });
      expect(await lists()).toMatchObject({
        tags: ['vip', 'old', 'new'],
        addresses: ['Prague', 'Brno', 'Plzeň'],
      });
    });

    it('by replacing them when asked, and says so', async () => {
      await updating([FIRST]);
      const { warnings } = await updating([THEN], { lists: 'replace' });
      expect(warnings).toEqual([expect.objectContaining({ code: 'values_replaced', lines: [2] })]);
      expect(await lists()).toEqual({
        phones: ['601000333', '602'],
        tags: ['VIP', 'new'],
        websites: ['b.example'],
        addresses: ['Brno', 'Plzeň'],
      });
    });

    it('within the limits of a contact', async () => {
      await updating([`a@example.com,${Array.from({ length: 10 }, (_, n) => `60${n}`).join('; ')},,,,`]);
      const { totals, errors } = await updating(['a@example.com,700,,,,']);
      expect([totals.failed, errors.map(({ code }) => code)]).toEqual([1, ['limit_exceeded']]);
    });
  });

  it('by its address, independent of the name, and the report names the lines', async () => {
    const rows = [
      'Jana,j@example.com,,,',
      'JANA,J@example.com,,,',
      'Max,k@example.com,,,',
      'Eva,j@example.com,,,',
    ];
    const report = await bring(rows);
    expect(report.totals).toMatchObject({ created: 2, updated: 2 });
    expect(report.warnings).toEqual([
      {
        code: 'address_with_several_names',
        message: expect.stringMatching(/^1 address has several names/),
        secondBest: null,
        lines: [2, 5],
      },
    ]);
    for (const duplicates of ['fill', 'skip'] as const)
      expect((await bring(rows, { duplicates })).warnings).toMatchObject([{ lines: [2, 5] }]);
    expect((await bring(rows, { duplicates: 'create' })).warnings).toEqual([]);
  });

  it('by its address under one name with the family name first', async () => {
    const rows = ['"Müller, Jürgen",j@example.com,,,', 'Jürgen Müller,j@example.com,,,'];
    expect((await bring(rows)).warnings).toEqual([]);
  });

  describe('without an address', () => {
    it('by a phone that is not the first one and a name with the family name first', async () => {
      await bring(['"Müller, Jürgen",,,111222333;444555666,']);
      const { totals } = await bring(['Jürgen Müller,,,444555666,'], { duplicates: 'fill' });
      expect(totals).toMatchObject({ rowsRead: 1, unchanged: 1 });
    });

    it('by its external id before other fields', async () => {
      await bring(['Jana,jana@example.com,7,,', 'Max,,8,,']);
      const { totals } = await bring(['Jana Nová,,7,,', 'Maximilian,,8,1,', 'Eva,,9,,']);
      expect(totals).toMatchObject({ updated: 2, created: 1 });
      expect(await there()).toEqual(['Jana Nová,jana@example.com,7,,', 'Maximilian,,8,1,', 'Eva,,9,,']);
    });

    it.each([
      ['Jana,jana@example.com,,+420 777 123 456,', 'JANA,,,777123456,Acme'],
      ['Jana,,,0171 1234567,', 'Jana,,,+49 171 1234567,Acme'],
      ['Jana,,5,00420 777 123 456,', 'Jana,,,777 123 456,Acme'],
    ])('%s as %s, by name and phone', async (first, second) => {
      await bring([first]);
      const { totals } = await bring([second, second.replace(/Jana/i, 'Max')]);
      expect(totals).toMatchObject({ updated: 1, created: 1 });
      expect(await there()).toHaveLength(2);
    });

    it('by a phone that is not the first one, where the file has no other of the name', async () => {
      await bring(['Jana,,,111222333;444555666,']);
      expect((await bring(['Jana,,,444555666,'], { duplicates: 'fill' })).totals).toMatchObject({
        unchanged: 1,
      });
      expect((await bring(['Jana,,,444555666,', 'Jana,,,777888999,'])).totals).toMatchObject({ created: 2 });
    });

    it.each([
      ['Jana,jana@example.com,7,,', 'Jana N.,,7,,'],
      ['Jana,jana@example.com,,777123456,', 'Jana,,,+420777123456,Acme'],
      ['Jana,info@example.com,,777123456,', 'Jana,,,+420777123456,Acme'],
      ['Jana,,7,777123456,', 'Jana,,,+420777123456,Acme'],
      ['Jana,,7,,', 'Jana N.,,7,,'],
      ['Jana,,,777123456,', 'Jana,,,777123456,Acme'],
    ])(
      '%s and %s: one contact of one file, in both orders, unchanged the second time',
      async (one, other) => {
        for (const rows of [
          [one, other],
          [other, one],
        ]) {
          organizationId = randomUUID();
          const report = await bring(rows);
          expect(report.totals).toMatchObject({ created: 1, updated: 1 });
          expect(codes(report)).toEqual(['2 duplicate_in_file']);
          await bring(rows);
          await mustChangeNothing(rows);
          expect(await there()).toHaveLength(1);
        }
      },
    );

    it('not by a name alone, nor by a phone alone', async () => {
      const rows = ['Jana,,,1,', 'Jana,,,2,', 'Max,,,1,', 'Jana,,,,', 'Jana,,,,'];
      expect((await bring(rows)).totals).toMatchObject({ created: 5 });
      expect((await bring(rows)).totals).toMatchObject({ unchanged: 3, created: 2 });
    });

    it('nor of another organization', async () => {
      const rows = [JANA, 'Max,,8,,', 'Eva,,,777123456,'];
      await bring(rows);
      organizationId = randomUUID();
      expect((await bring(rows)).totals).toMatchObject({ created: 3 });
    });
  });
});
