import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { json } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setting } from '#libs/config/testing';
import { CsvConfig } from '../../src/contacts/contacts.config.js';
import { BusinessApi } from '../support/business-api.js';
import { type ApiResponse, ask } from '../support/call.js';
import { type Form, importing } from '../support/csv-import.js';
import { Documented } from '../support/documented.js';
import { waitUntil } from '../support/wait-until.js';

const NO_ROWS = { totals: { rowsRead: 0, created: 0, failed: 0 } };

describe('importing contacts', () => {
  let api: BusinessApi;
  let documented: Documented;
  let person: ReturnType<BusinessApi['person']>;

  beforeAll(async () => {
    api = await BusinessApi.start();
    documented = await Documented.by(api.service.url);
  });
  afterAll(() => api.stop());
  afterEach(() => jest.restoreAllMocks());
  beforeEach(() => {
    person = api.person();
  });

  type More = Omit<Form, 'file'> & { token?: string; headers?: Record<string, string> };

  async function bring(
    file: Form['file'],
    { token = person.token, headers, ...more }: More = {},
  ): Promise<ApiResponse> {
    const answer = await importing(api.service.url, token, { file, ...more }, headers);
    documented.check('post /api/contacts/import', answer);
    if (answer.status === 200) mustAddUp(answer.body);
    return answer;
  }

  const call = (...[method, path, body]: Parameters<ReturnType<BusinessApi['as']>>) =>
    api.as(person.token)(method, path, body);
  const all = async (): Promise<Record<string, unknown>[]> =>
    (await call('GET', '/api/contacts?limit=100')).body.data;
  const names = async () => (await all()).map(({ name }) => name).reverse();
  const failedRows = async (report: { failedRows: string }) => (await call('GET', report.failedRows)).text;

  function mustAddUp({ totals }: { totals: Record<string, number> }) {
    const { rowsRead, ...others } = totals;
    expect(Object.values(others).reduce((sum, n) => sum + n, 0)).toBe(rowsRead);
  }

  const said = (body: { errors: { row: number; code: string }[] }) =>
    body.errors.map(({ row, code }) => `${row} ${code}`);

  it('imports rows and reports the outcome of each', async () => {
    const { status, body } = await bring(
      'First Name,Last Name,E-mail,Phone,Shoe size\nJana,Nováková,Jana@Example.com,+420 1,1990\n,,nobody,,\n,,,,\nAnna,,,,\n',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dryRun: false,
      organizationId: person.organizationId,
      file: {
        name: 'contacts.csv',
        encoding: 'utf-8',
        encodingSource: 'content',
        delimiter: ',',
        hasHeader: true,
        headerLine: 1,
      },
      unmappedColumns: ['Shoe size'],
      totals: {
        rowsRead: 4,
        created: 2,
        updated: 0,
        unchanged: 0,
        skippedDuplicate: 0,
        skippedEmpty: 1,
        failed: 1,
      },
      errors: [
        {
          line: 3,
          row: 2,
          column: 'E-mail',
          field: 'email',
          severity: 'error',
          code: 'invalid_email',
          value: 'nobody',
        },
      ],
      errorsTruncated: false,
      seenBefore: null,
    });
    expect(await all()).toEqual([
      expect.objectContaining({ name: 'Anna', email: null, version: 1 }),
      expect.objectContaining({
        name: 'Jana Nováková',
        email: 'Jana@Example.com',
        phones: ['+420 1'],
        version: 1,
      }),
    ]);
    const failed = await call('GET', body.failedRows as string);
    documented.check('get /api/contacts/imports/{importId}/failed-rows', failed);
    expect(failed.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(failed.text).toBe(
      'import_error,First Name,Last Name,E-mail,Phone,Shoe size\r\ninvalid_email: E-mail is not an email address,,,nobody,,\r\n',
    );
    const report = await call('GET', `/api/contacts/imports/${body.importId}`);
    documented.check('get /api/contacts/imports/{importId}', report);
    expect(report.body).toEqual(body);
  });

  it('imports the failed rows after they are corrected', async () => {
    const { body } = await bring('name,email\n,nobody\n');
    const corrected = (await failedRows(body)).replace(',nobody', ',max@example.com');
    expect((await bring(corrected)).body).toMatchObject({
      totals: { created: 1 },
      unmappedColumns: [],
    });
  });

  it.each<[string, string, Form['options']]>([
    ['a header', 'who,where\n,nobody\n,nowhere\n', { hasHeader: true }],
    ['no header', ',nobody\n,nowhere\n', { hasHeader: false }],
    ['lines above the header', 'Export\n\nwho,where\n,nobody\n,nowhere\n', { headerLine: 3 }],
  ])(
    'imports the corrected rows of a file with %s with the options of the file',
    async (_, file, options) => {
      const form = { mapping: { '#1': 'name', '#2': 'email' }, options };
      const { body } = await bring(file, form);
      const corrected = (await failedRows(body)).replace(',nobody', ',max@example.com');
      const again = (await bring(corrected, form)).body;
      expect(again).toMatchObject({ totals: { rowsRead: 2, created: 1, failed: 1 }, unmappedColumns: [] });
      expect(again.mapping).toEqual(body.mapping);
      const [header, ...rows] = (await failedRows(again)).trim().split('\r\n');
      expect([header, rows]).toEqual([
        corrected.split('\r\n')[0],
        [expect.stringMatching(/^invalid_email: [^,]*,,nowhere$/)],
      ]);
      const last = (await failedRows(again)).replace(',nowhere', ',eve@example.com');
      expect((await bring(last, form)).body.totals).toMatchObject({ rowsRead: 1, created: 1 });
      expect((await all()).map(({ name, email }) => [name, email])).toEqual([
        [null, 'eve@example.com'],
        [null, 'max@example.com'],
      ]);
    },
  );

  it.each<[string, object, string[]]>([
    ['guarded', {}, ['@jana', "'@x", '=1+1', '+420 1']],
    ['raw', { raw: true }, ["'@jana", "''@x", '=1+1', "'+420 1"]],
  ])('returns failed cells that give the same values when imported again: %s', async (_, options, values) => {
    const columns = ['@a', 'b', 'c', 'd'];
    const mapping = {
      name: 'name',
      email: 'email',
      ...Object.fromEntries(columns.map((column) => [column, `customFields.${column.replace('@', '')}`])),
    };
    const file = `name,email,${columns.join(',')}\n,nobody,'@jana,''@x,=1+1,'+420 1\n`;
    let failed = file;
    for (let times = 0; times < 3; times += 1) {
      const { body } = await bring(failed, { mapping, options });
      expect(body.totals).toMatchObject({ rowsRead: 1, failed: 1 });
      failed = await failedRows(body);
    }
    const uncorrected = (await bring(file, { mapping, options })).body.failedRows as string;
    const plain = (await call('GET', `${uncorrected}?raw=true`)).text;
    for (const [text, rules] of [
      [failed, options],
      [plain, { raw: true }],
    ] as const) {
      const corrected = text.replace(',nobody', ',max@example.com');
      const again = await bring(corrected, { mapping, options: { ...rules, duplicates: 'create' } });
      expect(again.body.totals).toMatchObject({ rowsRead: 1, created: 1 });
    }
    const [a, b, c, d] = values;
    expect((await all()).map(({ customFields }) => customFields)).toEqual([
      { a, b, c, d },
      { a, b, c, d },
    ]);
  });

  it('accepts corrected damaged rows, whose cells keep their columns', async () => {
    const { body } = await bring(
      'name;email;company\n"Max" x;max@example.com;"Acme; Inc."\nJane;;\n"Eve;eve@example.com;=1+1\n',
    );
    expect(said(body)).toEqual(['1 could_not_parse_row', '3 could_not_parse_row']);
    const failed = await failedRows(body);
    expect(failed).toContain(';"""Max"" x";max@example.com;"Acme; Inc."\r\n');
    expect(failed).toContain(`;"""Eve";eve@example.com;'=1+1\r\n`);
    const corrected = failed.replace('"""Max"" x"', 'Max').replace('"""Eve"', 'Eve');
    expect((await bring(corrected)).body.totals).toMatchObject({ rowsRead: 2, created: 2 });
    const contacts = (await all()).map(({ name, email, company }) => [name, email, company]);
    expect(contacts.reverse()).toEqual([
      ['Jane', null, null],
      ['Max', 'max@example.com', 'Acme; Inc.'],
      ['Eve', 'eve@example.com', '=1+1'],
    ]);
  });

  it('is one audited event with totals and the names of imported fields', async () => {
    const { body } = await bring(
      'id,First Name,Last Name,email,Favourite,notes\n,Jana,Nova,jana@example.com,tea,old friend\n',
      {
        mapping: {
          id: 'id',
          'First Name': 'firstName',
          'Last Name': 'lastName',
          email: 'email',
          Favourite: 'customFields.favourite',
          notes: null,
        },
      },
    );
    const events = await api.test.database.query<{ type: string; data: object }>(
      'SELECT type, data FROM events.event WHERE stream = $1',
      [body.importId],
    );
    const fields = ['name', 'email', 'customFields'];
    expect(events).toEqual([
      { type: 'ContactsImported', data: { importId: body.importId, fields, ...body.totals } },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/jana|favourite/i);
    await api.followed();
    const audit: { subjectId: string }[] = (await call('GET', '/api/content-ops/events')).body.data;
    const kind = 'contact_import.contacts_imported';
    expect(audit.filter(({ subjectId }) => subjectId === body.importId)).toMatchObject([
      { kind, details: { fields, created: 1 } },
    ]);
  });

  describe('rows that match stored contacts', () => {
    const jane = 'name,email,company,tags\nJane,jane@example.com,,a\n';
    const again = 'name,email,company,tags\nJane Doe,JANE@example.com,Acme,\n';
    beforeEach(() => bring(jane));

    it.each([
      [
        'update',
        'updated',
        { name: 'Jane Doe', email: 'JANE@example.com', company: 'Acme', tags: ['a'], version: 2 },
      ],
      [
        'fill',
        'updated',
        { name: 'Jane', email: 'jane@example.com', company: 'Acme', tags: ['a'], version: 2 },
      ],
      ['skip', 'skippedDuplicate', { name: 'Jane', company: null, version: 1 }],
    ])('%s: %s', async (duplicates, outcome, contact) => {
      const { body } = await bring(again, { options: { duplicates } });
      expect(body.totals).toMatchObject({ rowsRead: 1, [outcome]: 1 });
      expect(await all()).toEqual([expect.objectContaining(contact)]);
    });

    it('create: adds another contact', async () => {
      expect((await bring(again, { options: { duplicates: 'create' } })).body.totals).toMatchObject({
        created: 1,
      });
      expect(await names()).toEqual(['Jane', 'Jane Doe']);
    });

    it('reports unchanged rows and the earlier import of the file', async () => {
      const { body } = await bring(jane);
      expect(body).toMatchObject({ totals: { unchanged: 1 }, seenBefore: { importId: expect.any(String) } });
      expect(await all()).toEqual([expect.objectContaining({ version: 1 })]);
    });

    it('does not choose among several matches', async () => {
      await bring(again, { options: { duplicates: 'create' } });
      const { body } = await bring('name,email\nJanet,jane@example.com\nMax,max@example.com\n');
      expect(body.totals).toMatchObject({ created: 1, failed: 1 });
      expect(said(body)).toEqual(['1 ambiguous_match']);
    });

    it('matches a contact by its id first', async () => {
      const [{ id } = {}] = await all();
      const { body } = await bring(`id,name,email\n${id as string},Joan,joan@example.com\n`);
      expect(body.totals).toMatchObject({ updated: 1 });
      expect(await all()).toEqual([expect.objectContaining({ id, name: 'Joan', email: 'joan@example.com' })]);
    });

    it.each([
      ['restore', { updated: 1 }, ['Jane Doe']],
      ['create', { created: 1 }, ['Jane Doe']],
      ['skip', { skippedDuplicate: 1 }, []],
    ])('that match deleted contacts: %s', async (onDeletedMatch, totals, after) => {
      const [{ id } = {}] = await all();
      await call('DELETE', `/api/contacts/${id as string}`);
      const { body } = await bring(again, { options: { onDeletedMatch } });
      expect(body.totals).toMatchObject(totals);
      expect(said(body)).toEqual(['1 matches_deleted']);
      expect(await names()).toEqual(after);
    });

    it('merges the rows of one contact', async () => {
      const { body } = await bring(
        'name,email,company,tags\nA,new@example.com,Acme,x\nB,NEW@example.com,,"y,z"\nC,jane@example.com,,\n',
      );
      expect(body.totals).toMatchObject({ rowsRead: 3, created: 1, updated: 2 });
      expect(said(body)).toEqual(['2 duplicate_in_file']);
      expect(await all()).toEqual([
        expect.objectContaining({
          name: 'B',
          email: 'NEW@example.com',
          company: 'Acme',
          tags: ['x', 'y', 'z'],
        }),
        expect.objectContaining({ name: 'C', version: 2 }),
      ]);
    });
  });

  it('treats people of one role address as several contacts, and warns about several names of another address', async () => {
    const { status, body } = await bring(
      'name,email\nJana,info@example.com\nMax,info@example.com\nEva,eva@example.com\nEve,eva@example.com\n',
    );
    expect(status).toBe(200);
    expect(body.totals).toMatchObject({ created: 3, updated: 1 });
    expect(await names()).toEqual(['Jana', 'Max', 'Eve']);
    expect(body.warnings).toMatchObject([{ code: 'address_with_several_names', lines: [4, 5] }]);
    const kept = await call('GET', `/api/contacts/imports/${body.importId as string}`);
    expect(kept.body.warnings).toEqual(body.warnings);
  });

  it('can use another key', async () => {
    await bring('externalId,name\n7,Jane\n');
    const { body } = await bring('externalId,name\n7,Jane Doe\n8,Max\n,Anna\n', {
      options: { key: 'externalId' },
    });
    expect(body.totals).toMatchObject({ updated: 1, created: 2 });
    expect(await names()).toEqual(['Jane Doe', 'Max', 'Anna']);
  });

  it('imports valid rows despite a failed row', async () => {
    const options = { key: 'externalId', duplicates: 'skip' };
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n])));
    await bring('externalId,name\n5,Deleted\n', { options });
    await call('DELETE', `/api/contacts/${(await all())[0]?.id as string}`);
    const { body } = await bring(
      [
        'externalId,name,company,customFields,customFields.more',
        '7,,,,',
        '7,,,,',
        '7,Jana,third,,',
        '7,,,,',
        '7,Joan,fifth,,',
        '8,,,,',
        '8,,,,',
        `5,Eve,,"${many.replaceAll('"', '""')}",x`,
        '5,Eva,,,',
        '5,Ewa,,,',
        '',
      ].join('\n'),
      { options },
    );
    expect(body.totals).toMatchObject({
      rowsRead: 10,
      created: 1,
      updated: 1,
      skippedDuplicate: 3,
      failed: 5,
    });
    expect(said(body).filter((one) => !one.endsWith('matches_deleted'))).toEqual([
      '1 missing_required',
      '2 missing_required',
      '4 duplicate_in_file',
      '5 duplicate_in_file',
      '6 missing_required',
      '7 missing_required',
      '8 limit_exceeded',
      '10 duplicate_in_file',
    ]);
    const lost = (await failedRows(body)).trim().split('\r\n').slice(1);
    expect(lost.map((line) => line.split(',').slice(1, 4).join())).toEqual([
      '7,,',
      '7,,',
      '8,,',
      '8,,',
      '5,Eve,',
    ]);
    expect((await all()).map(({ name, company }) => [name, company])).toEqual([
      ['Jana', 'third'],
      ['Eva', null],
    ]);
  });

  it('refuses a key without a column', async () => {
    const { status, body } = await bring('name,email\nJane,\n', { options: { key: 'externalId' } });
    expect([status, body.code]).toEqual([400, 'mapping_not_valid']);
  });

  it('imports only mapped columns', async () => {
    const { body } = await bring('Kunde;Post;Stadt\nJana;j@example.com;Prag\n', {
      mapping: { Kunde: 'name', '#2': 'email', Stadt: 'customFields.city' },
    });
    expect(body.mapping.map(({ how }: { how: string }) => how)).toEqual(['given', 'given', 'given']);
    expect(await all()).toEqual([expect.objectContaining({ name: 'Jana', customFields: { city: 'Prag' } })]);
  });

  it('changes nothing in a dry run, and reports the same', async () => {
    const file = 'name,email\nJane,jane@example.com\nMax,nobody\nJane 2,jane@example.com\n';
    const dry = await bring(file, { options: { dryRun: true } });
    expect(dry.body).toMatchObject({ importId: null, dryRun: true, failedRows: null });
    expect(await all()).toEqual([]);
    const real = await bring(file);
    expect(real.body).toMatchObject({ seenBefore: null, totals: dry.body.totals, errors: dry.body.errors });
    const imports = await api.test.database.query(
      `SELECT id FROM contacts.contact_import WHERE organization_id = $1`,
      [person.organizationId],
    );
    expect(imports).toEqual([{ id: real.body.importId }]);
  });

  it('stores nothing of an erased contact', async () => {
    const headers = { 'idempotency-key': 'erased-later' };
    const file =
      'name,email,phone\nAnn,ann@example.com,\nAnn,ann@example.com,1,2\nJoan,joann@example.com,1,2\n';
    const { body } = await bring(file, { headers, name: 'Ann and Joan.csv' });
    expect(body.file.name).toBe('Ann and Joan.csv');
    const spotless = await bring('name,email\nZoe,\n', { name: 'Ann.csv' });
    expect(await failedRows(body)).toContain('Ann');
    const ann = (await all()).find(({ name }) => name === 'Ann');
    const owner = api.identity.user({ organizations: [{ id: person.organizationId, role: 'owner' }] });
    const erased = await api.as(owner)('DELETE', `/api/contacts/${ann?.id as string}?erase=true`);
    expect(erased.status).toBe(200);
    const kept = await failedRows(body);
    expect([kept.includes('Ann,'), kept.includes('joann@')]).toEqual([false, true]);
    const report = await call('GET', `/api/contacts/imports/${body.importId as string}`);
    expect(JSON.stringify(report.body)).not.toMatch(/\bann\b/i);
    const other = await call('GET', `/api/contacts/imports/${spotless.body.importId as string}`);
    expect([report.body.file.name, other.body.file.name]).toEqual([null, null]);
    expect((await bring(file, { headers, name: 'Ann and Joan.csv' })).body.code).toBe(
      'import_report_changed',
    );
  });

  it.each([
    ['under a former address', 'Gone,Person,old@gone.cz,,'],
    ['with an address that is none', 'PERSON,gone,gone person at gone.cz,,'],
    ['with an address in full width', ',,ｎｅｗ＠ｇｏｎｅ．ｃｚ,,'],
    ['by a number', ',,no address,+420 601 000 000,'],
    ['by an id of elsewhere', ',,no address,,crm-17'],
  ])('stores no failed row of an erased contact %s', async (_, row) => {
    const mine = {
      name: 'Gone Person',
      email: 'new@gone.cz',
      phones: ['+420 601 000 000'],
      externalId: 'crm-17',
    };
    const { body: contact } = await call('POST', '/api/contacts', mine);
    const header = 'First Name,Last Name,email,phone,externalId';
    const others = 'Person,Else,else at other.cz,+420 601 000 0001,crm-170';
    const { body } = await bring(`${header}\n${row},too,many\n${others},too,many\n`);
    expect(body.totals).toMatchObject({ rowsRead: 2, failed: 2 });
    const owner = api.identity.user({ organizations: [{ id: person.organizationId, role: 'owner' }] });
    await api.as(owner)('DELETE', `/api/contacts/${contact.id}?erase=true`);
    const kept = (await failedRows(body)).trimEnd().split('\r\n').slice(1);
    expect(kept).toEqual([expect.stringContaining('Person,Else')]);
  });

  it('keeps of a failed row no more combining marks than the database can put in order', async () => {
    const marks = '\u0301\u0323'.repeat(20_000);
    const { body } = await bring(`name,email,note\nAnn,nobody,a${marks}b\n`);
    expect(await failedRows(body)).toMatch(/,Ann,nobody,a\ufffdb\r\n$/);
  });

  it('erases all cells of rows with the address of an erased contact', async () => {
    const secret = 'Annabel '.repeat(40);
    const file = `name,email,full name\nAnn,ann@example.com,\n${secret},ann@example.com,\nAnn,ann@example.com,Annabel Lee\n`;
    const mapping = { name: 'name', email: 'email', 'full name': 'firstName' };
    const shapes: [key: string, more: More, status: number][] = [
      ['dry', { options: { dryRun: true } }, 200],
      ['all-or-nothing', { options: { onError: 'abort' } }, 400],
      ['real', {}, 200],
    ];
    const answers = [];
    for (const [key, more, status] of shapes) {
      const answer = await bring(file, { ...more, mapping, headers: { 'idempotency-key': key } });
      expect([answer.status, answer.text.includes('Annabel')]).toEqual([status, true]);
      answers.push(answer);
    }
    const path = `/api/contacts/imports/${answers[2]?.body.importId as string}`;
    const before = (await call('GET', path)).body;
    const [ann] = await all();
    const owner = api.identity.user({ organizations: [{ id: person.organizationId, role: 'owner' }] });
    await api.as(owner)('DELETE', `/api/contacts/${ann?.id as string}?erase=true`);
    const after = (await call('GET', path)).body;
    expect(after.errors).toEqual(before.errors.map((error: object) => ({ ...error, value: null })));
    for (const [key, more] of shapes) {
      const again = await bring(file, { ...more, mapping, headers: { 'idempotency-key': key } });
      expect([again.status, again.body.code]).toEqual([404, 'import_report_changed']);
    }
  });

  it('stores nothing of an erased contact in responses of imports without effect', async () => {
    const file = 'name,email\nAnn,ann@example.com\n,"x\nann@example.com or so"\n';
    const tries = [
      { key: 'dry', form: { options: { dryRun: true } }, status: 200 },
      { key: 'all-or-nothing', form: { options: { onError: 'abort' } }, status: 400 },
    ];
    const elsewhere = api.person();
    for (const { key, form, status } of tries)
      for (const { token } of [person, elsewhere]) {
        const answer = await bring(file, { token, ...form, headers: { 'idempotency-key': key } });
        expect([answer.status, answer.text.includes('ann@example.com or so')]).toEqual([status, true]);
      }
    const namesake = { name: 'Anna', email: 'ann@example.com' };
    const create = (key: string) =>
      api.as(person.token)('POST', '/api/contacts', namesake, { 'idempotency-key': key });
    const [ann, other] = [await create('ann'), await create('other')];
    const owner = api.identity.user({ organizations: [{ id: person.organizationId, role: 'owner' }] });
    await api.as(owner)('DELETE', `/api/contacts/${ann.body.id as string}?erase=true`);
    for (const { key, form, status } of tries) {
      const headers = { 'idempotency-key': key };
      const again = await bring(file, { ...form, headers });
      expect([again.status, again.body.code]).toEqual([404, 'import_report_changed']);
      const theirs = await bring(file, { token: elsewhere.token, ...form, headers });
      expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([status, 'true']);
    }
    expect((await create('ann')).body.code).toBe('contact_not_found');
    expect((await create('other')).text).toBe(other.text);
  });

  it('stores nothing of an erased contact in the refusal of a file without a header', async () => {
    const file = 'Annabel,Prague\nMax,Brno\n';
    const more = { options: { hasHeader: true }, headers: { 'idempotency-key': 'no-header' } };
    const elsewhere = api.person();
    for (const { token } of [person, elsewhere]) {
      const { status, body } = await bring(file, { ...more, token });
      expect([status, body.code, body.columns]).toEqual([
        400,
        'columns_not_recognized',
        ['Annabel', 'Prague'],
      ]);
    }
    const ann = await call('POST', '/api/contacts', { name: 'Annabel' });
    const owner = api.identity.user({ organizations: [{ id: person.organizationId, role: 'owner' }] });
    await api.as(owner)('DELETE', `/api/contacts/${ann.body.id as string}?erase=true`);
    const again = await bring(file, more);
    expect([again.status, again.body.code]).toEqual([404, 'import_report_changed']);
    const theirs = await bring(file, { ...more, token: elsewhere.token });
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([400, 'true']);
  });

  it('imports nothing when one row fails in all-or-nothing mode', async () => {
    const { status, body } = await bring('name,email\nJane,jane@example.com\n,nobody\n', {
      options: { onError: 'abort' },
    });
    expect([status, body.code]).toEqual([400, 'import_aborted']);
    expect(body.report).toMatchObject({ importId: null, totals: { created: 1, failed: 1 } });
    expect(await all()).toEqual([]);
  });

  describe('repeated', () => {
    const file = 'name,email\nJane,\n';
    const once = { headers: { 'idempotency-key': 'one' } };

    it('runs once per key, with the same response', async () => {
      const [first, second] = [await bring(file, once), await bring(file, once)];
      expect(second.text).toBe(first.text);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await names()).toEqual(['Jane']);
    });

    it.each([
      ['file', 'name,email\nMax,\n', {}],
      ['mapping', file, { mapping: { name: 'company', email: 'name' } }],
      ['options', file, { options: { duplicates: 'skip' } }],
    ])('is refused with another %s under the key', async (_, other, more) => {
      await bring(file, once);
      expect((await bring(other, { ...once, ...more })).status).toBe(422);
      expect(await names()).toEqual(['Jane']);
    });

    it('replays the response of a dry run and of a refusal', async () => {
      const dry = { ...once, options: { dryRun: true } };
      expect((await bring(file, dry)).text).toBe((await bring(file, dry)).text);
      const bad = { headers: { 'idempotency-key': 'bad' }, mapping: { nobody: 'name' } };
      const [first, second] = [await bring(file, bad), await bring(file, bad)];
      expect([first.status, second.text]).toEqual([400, first.text]);
    });

    it('imports the same file again without a key, and reports the earlier import', async () => {
      const first = await bring(file);
      expect((await bring(file)).body.seenBefore).toMatchObject({ importId: first.body.importId });
      expect(await names()).toEqual(['Jane', 'Jane']);
    });
  });

  describe('bad input', () => {
    const good = 'name,email\nJane,jane@example.com\n';

    it.each<[string, string | Buffer, string]>([
      ['a spreadsheet named .csv', Buffer.from('504b030414000600080000002100', 'hex'), 'file_is_not_text'],
      ['a ZIP', Buffer.from('504b0506000000000000', 'hex'), 'file_is_not_text'],
      ['zero bytes', `name,email\n${'\0'.repeat(20)}`, 'file_is_not_text'],
      ['no header', 'Jane,jane@example.com\nMax,max@example.com\n', 'columns_not_recognized'],
      ['unknown headers', 'foo,bar\nJane,x\n', 'columns_not_recognized'],
      ['10 000 columns', `name,${'x,'.repeat(10_000)}\nJane\n`, 'file_not_readable'],
      ['nothing', '', 'file_not_readable'],
    ])('%s is a clear 400', async (_, file, code) => {
      const { status, body } = await bring(file);
      expect([status, body.code]).toEqual([400, code]);
      expect(await all()).toEqual([]);
    });

    it.each<[string, Form & { code?: string }, string]>([
      ['no file', { options: {} }, 'file_missing'],
      ['a mapping that is no JSON', { file: good, mapping: '{' }, 'validation_failed'],
      ['options that are no object', { file: good, options: [] }, 'validation_failed'],
      ['an unknown option', { file: good, options: { shoeSize: 7 } }, 'validation_failed'],
      ['an odd choice', { file: good, options: { duplicates: 'maybe' } }, 'validation_failed'],
      ['an unknown column', { file: good, mapping: { nobody: 'name' } }, 'mapping_not_valid'],
      ['an unknown field', { file: good, mapping: { name: 'shoeSize' } }, 'mapping_not_valid'],
      ['a mapping to no text', { file: good, mapping: { name: 5 } }, 'mapping_not_valid'],
      ['an unknown encoding', { file: good, options: { encoding: 'klingon' } }, 'encoding_unknown'],
      ['a delimiter that is a picture', { file: good, options: { delimiter: '😀' } }, 'validation_failed'],
      ['a header line that is not there', { file: good, options: { headerLine: 9 } }, 'file_not_readable'],
    ])('%s is a clear 400', async (_, { file, ...more }, code) => {
      const { status, body } = await bring(file, more);
      expect([status, body.code]).toEqual([400, code]);
    });

    const part = (name: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n${good}\r\n`;

    it.each([
      ['that breaks off', part('file'), 'form_not_readable'],
      ['with the file in another part', `${part('csv')}--x--\r\n`, 'bad_request'],
      ['with two files', `${part('file')}${part('file')}--x--\r\n`, 'bad_request'],
    ])('a form %s is a clear 400', async (_, body, code) => {
      const answer = await ask(`${api.service.url}/api/contacts/import`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${person.token}`,
          'content-type': 'multipart/form-data; boundary=x',
        },
        body,
      });
      documented.check('post /api/contacts/import', answer);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    });

    it('a file with only a header has a report without rows', async () => {
      expect((await bring('name,email\n')).body).toMatchObject(NO_ROWS);
    });

    it('short rows are padded, long ones fail unless the rest is empty', async () => {
      const { body } = await bring('name,email,company\nJane\nMax,,Acme,,\nEve,,Acme,x\n');
      expect(said(body)).toEqual(['3 incorrect_number_of_columns']);
      expect(await names()).toEqual(['Jane', 'Max']);
    });

    it('any number of blank lines is skipped', async () => {
      const { body } = await bring(`name,email\n${'\n'.repeat(200_000)}Jane,jane@example.com\n`);
      expect(body.totals).toMatchObject({ created: 1, failed: 0 });
    });

    it('a mapping of as many columns as a file may have is taken, of more it is a clear 400', async () => {
      const columns = Array.from({ length: 1_000 }, (_, n) => `Column ${n}`);
      const file = `${columns.join(',')}\nJane\n`;
      const mapping = Object.fromEntries(columns.map((column, n) => [column, n === 0 ? 'name' : null]));
      expect((await bring(file, { mapping })).body.totals).toMatchObject({ created: 1 });
      const { status, body } = await bring(file, { mapping: { ...mapping, 'Column 1000': null } });
      expect([status, body.errors]).toEqual([
        400,
        [expect.objectContaining({ pointer: '#/mapping', code: 'too_many' })],
      ]);
    });

    it('names of Object.prototype members are ordinary column names', async () => {
      const mapping = { name: 'constructor', email: 'customFields.__proto__', '#2': 'customFields.valueOf' };
      const { status, body } = await bring(good, { mapping });
      expect([status, body.code, body.errors.length]).toEqual([400, 'mapping_not_valid', 3]);
      const named = await bring('name,prototype\nJane,x\n', { mapping: { name: 'name', prototype: 'tags' } });
      expect([named.status, named.body.errors]).toEqual([
        400,
        [expect.objectContaining({ pointer: '#/mapping', code: 'name_not_allowed' })],
      ]);
      const odd = ['toString', '__proto__', 'customFields.constructor', 'customFieldsJson.prototype'];
      const { body: known } = await bring(`name,${odd.join(',')}\nJane,x,y,z,1\n`);
      expect(known.unmappedColumns).toEqual(odd);
      expect(await all()).toEqual([expect.objectContaining({ customFields: {} })]);
    });

    it('invalid bytes fail only their row, also in a file with a byte order mark', async () => {
      const marked = await bring(Buffer.from('\xef\xbb\xbfname,email\nJos\xe9,\nJane,\n', 'latin1'));
      expect(said(marked.body)).toEqual(['1 invalid_value']);
      const mixed = Buffer.concat([
        Buffer.from('name,email\nМария,\nŽofie,\n'),
        Buffer.from([0x42, 0xff, 0x0a]),
      ]);
      expect(said((await bring(mixed)).body)).toEqual(['3 invalid_value']);
      expect(await names()).toEqual(['Jane', 'Мария', 'Žofie']);
    });

    it('lines above the header are counted', async () => {
      const { body } = await bring('Notes:\nSome are missing\nname,email\nJane,\n');
      expect(body.file).toMatchObject({ headerLine: 3, skippedLines: 2 });
    });

    it('duplicate and empty headers get a number', async () => {
      const { body } = await bring('name,,email,email\nJane,x,,a@example.com\n');
      expect(body.unmappedColumns).toEqual(['#2']);
      expect(body.mapping).toContainEqual({ column: 'email (2)', field: 'additionalEmails', how: 'header' });
    });

    it('quotes, line breaks and other scripts inside cells are imported unchanged', async () => {
      await bring('name,company\n"Jane ""JJ"" Doe","a\r\nb"\n5" pipe,x\n\u202eשלום,العربية\n名前,=1+1\n');
      expect((await all()).map(({ name, company }) => [name, company]).reverse()).toEqual([
        ['Jane "JJ" Doe', 'a\r\nb'],
        ['5" pipe', 'x'],
        ['\u202eשלום', 'العربية'],
        ['名前', '=1+1'],
      ]);
    });

    it('one damaged row does not stop the others', async () => {
      const { body } = await bring(
        `name,email\nJane,\n"Max" x,\n${'y'.repeat(300_000)},\nA\0B,\n"open,\nAnna,\n${',\n'.repeat(2)}`,
      );
      expect(body.totals).toMatchObject({ rowsRead: 8, created: 2, skippedEmpty: 2, failed: 4 });
      expect(said(body)).toEqual([
        '2 could_not_parse_row',
        '3 row_too_large',
        '4 invalid_value',
        '5 could_not_parse_row',
      ]);
      expect(await names()).toEqual(['Jane', 'Anna']);
      expect((await failedRows(body)).split('\r\n')).toHaveLength(6);
    });

    it('a column of addresses is enough', async () => {
      expect((await bring('email\na@example.com\nb@example.com\n')).body.totals).toMatchObject({
        created: 2,
      });
    });

    it('cells without visible characters are empty', async () => {
      await bring('name,email,company\nJane,jane@example.com,Acme\n');
      const { body } = await bring(
        'name,email,company,\u200b\n\u200b,jane@example.com,\u2060\u200e\n\u3164,,Acme\n\ufeff,\u00ad, \u2800,\u200b,\u200b\n',
      );
      expect(body.totals).toMatchObject({ rowsRead: 3, unchanged: 1, created: 1, skippedEmpty: 1 });
      expect(said(body)).toEqual([]);
      expect(body.unmappedColumns).toEqual(['#4']);
    });

    it('rows without a name, email, company or phone fail and are reported', async () => {
      const { body } = await bring('name,email,phone,job title\n,,,Roaster\nJane,,,\n,,+49 1,\n');
      expect(body.totals).toMatchObject({ rowsRead: 3, created: 2, failed: 1 });
      expect(said(body)).toEqual(['1 missing_required']);
      expect(await failedRows(body)).toContain('missing_required,,,,Roaster');
    });

    it('an uncertain encoding and delimiter are reported, and a dry run returns sample rows', async () => {
      const file = Buffer.from('name,title;email\nx,1;a@x.cz\n\xd8eho\xf8,2;\nz,3;\ny,4;\n', 'latin1');
      const { body } = await bring(file, {
        options: { dryRun: true, delimiter: ';' },
        mapping: { '#1': 'name' },
      });
      expect(body.file).toMatchObject({ encodingSource: 'statistics' });
      expect(body.warnings).toEqual([
        expect.objectContaining({
          code: 'encoding_uncertain',
          secondBest: expect.stringMatching(/^[a-z0-9-]+$/),
        }),
      ]);
      expect(body.sampleRows.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4]);
      expect(body.sampleRows[0].cells).toEqual([
        { column: 'name,title', value: 'x,1' },
        { column: 'email', value: 'a@x.cz' },
      ]);
      const sure = await bring('Kunde,Nr;Raum\nJana,1;Bonn\nMax,2;Köln\n', { mapping: { '#1': 'name' } });
      expect(sure.body).toMatchObject({
        warnings: [{ code: 'delimiter_uncertain', secondBest: ';', lines: [] }],
        sampleRows: [],
      });
    });

    it('an invalid byte in row 50 000 fails only that row', async () => {
      const rows = Array.from({ length: 50_000 }, (_, n) => `Jürgen ${n},j${n}@example.com\n`).join('');
      const file = Buffer.concat([
        Buffer.from(`name,email\n${rows}`),
        Buffer.from([0x41, 0xff, 0x2c, 0x0a]),
        Buffer.from('Last,\n'),
      ]);
      const { body } = await bring(file);
      expect(body.file).toMatchObject({ encoding: 'utf-8', encodingSource: 'mostly' });
      expect(body.totals).toMatchObject({ rowsRead: 50_002, created: 50_001, failed: 1 });
      expect(said(body)).toEqual(['50001 invalid_value']);
    });

    it.each<[string, Buffer, object]>([
      [
        'windows-1252',
        Buffer.from('name;email\nJ\xfcrgen \x80;\n', 'latin1'),
        { encoding: 'windows-1252', encodingSource: 'statistics', delimiter: ';' },
      ],
      [
        'UTF-16',
        Buffer.from('\ufeffname\temail\r\nJürgen €\t\r\n', 'utf16le'),
        { encoding: 'utf-16le', encodingSource: 'bom', delimiter: '\t' },
      ],
      [
        'what Excel writes',
        Buffer.from('\ufeffsep=;\r\nname;email\r\nJürgen €;\r\n'),
        { encoding: 'utf-8', headerLine: 2 },
      ],
    ])('%s is read', async (_, file, expected) => {
      expect((await bring(file)).body.file).toMatchObject(expected);
      expect(await names()).toEqual(['Jürgen €']);
    });

    it('errors beyond the maximum of the report are in the download', async () => {
      const { body } = await bring(`name,email\n${',nobody\n'.repeat(1_200)}`);
      expect([body.errors.length, body.errorsTruncated, body.totals.failed]).toEqual([1_000, true, 1_200]);
      expect((await failedRows(body)).trim().split('\r\n')).toHaveLength(1_201);
    });
  });

  it('refuses a file that is too large, known or not known beforehand', async () => {
    const small = await BusinessApi.start({ IMPORT_MAX_BYTES: '1000' });
    try {
      const { token } = small.person();
      const answers = [
        await importing(small.service.url, token, { file: 'x'.repeat(1_001) }),
        await importing(small.service.url, token, { file: 'x'.repeat(4_000_000) }),
      ];
      for (const { status, body } of answers) {
        expect([status, body.code, body.maxBytes]).toEqual([400, 'file_too_large', 1_000]);
      }
      expect((await importing(small.service.url, token, { file: 'name\nJane\n' })).status).toBe(200);
    } finally {
      await small.stop();
    }
  });

  it('requires credentials and a scope', async () => {
    const file = 'name\nJane\n';
    const stranger = await importing(api.service.url, undefined, { file });
    documented.check('post /api/contacts/import', stranger);
    expect(stranger.status).toBe(401);
    const reader = api.person(undefined, ['contacts.read']);
    expect((await bring(file, { token: reader.token })).status).toBe(403);
    const elsewhere = { options: { organizationId: api.person().organizationId } };
    expect((await bring(file, elsewhere)).status).toBe(404);
  });

  it('shows nothing of it to another organization', async () => {
    const { body } = await bring('name,email\n,nobody\n');
    const other = api.as(api.person().token);
    for (const path of [`/api/contacts/imports/${body.importId}`, body.failedRows as string]) {
      const answer = await other('GET', path);
      expect([answer.status, answer.body.code]).toEqual([404, 'import_not_found']);
    }
    expect((await call('GET', '/api/contacts/imports/nonsense')).status).toBe(404);
    await bring('name,email\nJane,jane@example.com\n');
    const [{ id } = {}] = await all();
    const thief = api.person();
    const stolen = `id,name,email\n${id as string},Stolen,jane@example.com\n`;
    expect((await bring(stolen, { token: thief.token })).body.totals).toMatchObject({
      created: 1,
      updated: 0,
    });
    expect(await names()).toEqual(['Jane']);
  });

  it('runs two imports of one organization one after the other', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `P ${n},p${n}@example.com\n`).join('');
    const [one, two] = await Promise.all([
      bring(`name,email\n${rows}`),
      bring(`email,name\n${rows.replace(/(.+),(.+)/g, '$2,$1')}`),
    ]);
    const outcomes = [one.body.totals, two.body.totals].map(({ created, unchanged }) => [created, unchanged]);
    expect(outcomes.sort()).toEqual([
      [0, 2_000],
      [2_000, 0],
    ]);
  });

  it('leaves out the footer of a report and says so', async () => {
    const { status, body } = await bring(
      'Name,Email,Phone\nFooter Jana,fj@example.com,="0444123456"\nFooter Max,fm@example.com,-\n\n\n"Contacts of May"\n"Confidential"\n"Generated By: Jan"\n',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      totals: { created: 2, failed: 0 },
      warnings: [{ code: 'text_after_table', lines: [6, 7, 8] }],
    });
    expect((await all()).slice(0, 2)).toMatchObject([
      { name: 'Footer Max', phones: [] },
      { name: 'Footer Jana', phones: ['0444123456'] },
    ]);
  });

  it('imports while its contacts are edited, deleted, restored and erased', async () => {
    const rows = (company: string) =>
      `name,email,company\n${Array.from({ length: 1_500 }, (_, n) => `P ${n},p${n}@example.com,${company}\n`).join('')}`;
    await bring(rows('Zero'));
    const ids = (await all()).map(({ id }) => id as string);
    const owner = api.as(
      api.identity.user({ organizations: [{ id: person.organizationId, role: 'owner' }] }),
    );
    let isOver = false;
    const again = async (work: (times: number) => Promise<ApiResponse>) => {
      const refusals = new Set<string>();
      let times = 0;
      for (; !isOver; times += 1) {
        const { status, text } = await work(times);
        if (status >= 409) refusals.add(text);
      }
      return { times, refusals: [...refusals] };
    };
    const others = Promise.all([
      again((n) => call('PUT', `/api/contacts/${ids[0]}`, { jobTitle: `Job ${n}` })),
      again((n) => call('PUT', `/api/contacts/${ids[n % 3]}`, { jobTitle: `Work ${n}` })),
      again((n) => call('PUT', `/api/contacts/${ids[3]}`, { email: `p${n}@example.com` })),
      again((n) =>
        n % 2 ? call('POST', `/api/contacts/${ids[4]}/restore`) : call('DELETE', `/api/contacts/${ids[4]}`),
      ),
      again((n) =>
        n % 8
          ? call('POST', `/api/contacts/${ids[5]}/notes`, { body: 'Called' })
          : owner('DELETE', `/api/contacts/${ids[6 + n]}?erase=true`),
      ),
    ]);
    try {
      for (const company of ['One', 'Two', 'Three']) {
        const { status, body } = await bring(rows(company));
        expect([status, body.totals?.rowsRead]).toEqual([200, 1_500]);
      }
    } finally {
      isOver = true;
    }
    for (const { times, refusals } of await others) {
      expect(times).toBeGreaterThan(0);
      expect(refusals).toEqual([]);
    }
    expect((await bring(rows('Four'))).body.totals.updated).toBeGreaterThan(1_480);
  });

  it('returns 503 with Retry-After when another import does not end', async () => {
    const lease = `INSERT INTO contacts.import_lease VALUES ($1, gen_random_uuid(), now() + interval '1 minute')`;
    await api.test.database.query(lease, [person.organizationId]);
    const { status, body, headers } = await bring('name\nJane\n');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'import_running', '10']);
    const expire = 'UPDATE contacts.import_lease SET lease_until = now() WHERE organization_id = $1';
    await api.test.database.query(expire, [person.organizationId]);
    expect((await bring('name\nJane\n')).status).toBe(200);
  });

  /** Open files: on disk they have no name. */
  const spooled = async () => {
    const open = (await readdir('/proc/self/fd')).map((fd) =>
      readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    );
    return (await Promise.all(open)).filter((path) => path.includes('/spooled-upload-')).length;
  };

  /** Sends the beginning of a file and goes no further. */
  const begin = (url: string, token: string) => {
    const upload = request(`${url}/api/contacts/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '100000',
      },
    });
    upload.on('error', () => undefined);
    upload.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\nJane\n');
    return upload;
  };

  it('stores nothing when the client disconnects during the upload', async () => {
    const before = await spooled();
    const upload = begin(api.service.url, person.token);
    await waitUntil(async () => (await spooled()) > before);
    // Others may just be taking the name off theirs.
    await waitUntil(async () =>
      (await readdir(tmpdir())).every((name) => !name.startsWith('spooled-upload-')),
    );
    upload.destroy();
    await waitUntil(async () => (await spooled()) <= before);
    expect(await all()).toEqual([]);
  });

  it('aborts a stalled upload and stores nothing', async () => {
    const impatient = await BusinessApi.start({}, undefined, [setting(CsvConfig, { stallMs: 500 })]);
    try {
      const before = await spooled();
      const upload = begin(impatient.service.url, impatient.person().token);
      const [response] = (await once(upload, 'response')) as [IncomingMessage];
      expect([response.statusCode, await json(response)]).toMatchObject([400, { code: 'upload_stalled' }]);
      await waitUntil(async () => (await spooled()) <= before);
      upload.destroy();
    } finally {
      await impatient.stop();
    }
  });

  it('stops and stores nothing when the client disconnects while rows are read', async () => {
    const quiet = jest.spyOn(Logger.prototype, 'debug');
    const loud = [jest.spyOn(Logger.prototype, 'warn'), jest.spyOn(Logger.prototype, 'error')];
    const rows = Array.from({ length: 200_000 }, (_, n) => `P ${n},p${n}@example.com\n`).join('');
    const body = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,email\n${rows}\r\n--x--\r\n`;
    const upload = request(`${api.service.url}/api/contacts/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'idempotency-key': 'hung-up',
      },
    });
    upload.on('error', () => undefined);
    upload.end(body);
    const isStaging = async () => {
      const [row] = await api.test.database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM contacts.import_row',
      );
      return (row?.count ?? 0) > 0;
    };
    await waitUntil(isStaging, 60_000);
    upload.destroy();
    await waitUntil(async () => !(await isStaging()), 120_000);
    expect(await all()).toEqual([]);
    // A disconnect is not an error of the server: logged below error, without a stack.
    const hungUp = [{ method: 'POST', path: '/api/contacts/import' }, 'client hung up'];
    await waitUntil(() => quiet.mock.calls.length > 0);
    expect(quiet.mock.calls).toContainEqual(hungUp);
    expect(loud.flatMap(({ mock }) => mock.calls)).toEqual([]);
    // A repeated request succeeds.
    const taken = `SELECT FROM http.idempotent_request WHERE response IS NULL OR response->>'status' = '499'`;
    expect(await api.test.database.query(taken)).toEqual([]);
  });
});
