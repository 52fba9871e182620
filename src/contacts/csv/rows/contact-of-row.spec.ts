import { mapColumns } from '../columns/map-columns.js';
import { contactOfRow } from './contact-of-row.js';
import { EMPTY_ROW } from './row-contact.js';

function read(columns: string[], cells: string[], rules: { raw?: boolean; hasBrokenBytes?: boolean } = {}) {
  return contactOfRow(cells, {
    mapping: mapColumns({ organizationId: '', columns }),
    columns: columns.length,
    raw: false,
    hasBrokenBytes: false,
    ...rules,
  });
}

const MARKS = 'has more than 30 consecutive combining marks';

describe('a row as a contact', () => {
  it('has the tidied values of its cells', () => {
    const { contact, problems } = read(
      [
        'First Name',
        'Last Name',
        'E-mail Address',
        'Company',
        'Job Title',
        'Mobile Phone',
        'Home Phone',
        'Categories',
      ],
      [' Jana ', 'Nováková', 'Jana@Example.COM', 'Acme', 'Roaster', '+420 1', '+420 2', 'vip; VIP;Prague'],
    );
    expect(problems).toEqual([]);
    expect(contact).toEqual({
      ...EMPTY_ROW,
      name: 'Jana Nováková',
      email: 'Jana@Example.COM',
      emailKey: 'jana@example.com',
      company: 'Acme',
      jobTitle: 'Roaster',
      phones: ['+420 1', '+420 2'],
      tags: ['vip', 'Prague'],
    });
  });

  it('takes placeholders for empty cells in every column, and text with an apostrophe for text', () => {
    const columns = ['name', 'email', 'phones', 'company', 'tags', 'customFields.plan'];
    expect(read(columns, ['-', 'n/a', 'N A', '#N/A', 'NULL', '--'])).toEqual({
      contact: EMPTY_ROW,
      problems: [],
    });
    expect(read(columns, ["'-", '', '', "'n/a"]).contact).toMatchObject({ name: '-', company: 'n/a' });
    expect(read(columns, ['-', '', '', 'n/a'], { raw: true }).contact).toMatchObject({
      name: '-',
      company: 'n/a',
    });
  });

  it('repairs numbers that a spreadsheet damaged, and reports those that lost digits', () => {
    const columns = ['name', 'phones', 'externalId'];
    expect(read(columns, ['Jana', '420601000333.0', '="0044"'])).toMatchObject({
      contact: { phones: ['420601000333'], externalId: '0044' },
      problems: [],
    });
    expect(read(columns, ['Jana', '="0444123"', '1']).contact.phones).toEqual(['0444123']);
    expect(read(columns, ['Jana', '4.20601E+11', '1.23457E+15'])).toMatchObject({
      contact: { name: 'Jana', phones: null, externalId: null },
      problems: [
        { code: 'value_ignored', column: 'phones' },
        { code: 'value_ignored', column: 'externalId' },
      ],
    });
    expect(read(columns, ['Jana', '######## ', '12345.0'])).toMatchObject({
      contact: { phones: null, externalId: '12345' },
      problems: [{ code: 'value_ignored', column: 'phones' }],
    });
  });

  it.each([
    ['email', '/', 'value_too_long'],
    ['name', 'a', 'value_too_long'],
    ['phones', ';', 'value_too_long'],
    ['websites', 'a.', 'value_ignored'],
    ['email', 'a@b.cz;', 'value_too_long'],
  ])('does not parse a cell of %s that is longer than any value: %j', (column, unit, code) => {
    const { problems } = read(['externalId', column], ['1', `x${unit.repeat(100_000)}`]);
    expect(problems).toEqual([expect.objectContaining({ code, column })]);
  });

  it('counts addresses before it parses them', () => {
    const { problems } = read(['name', 'email'], ['Jana', 'a@b.cz/'.repeat(200)]);
    expect(problems).toEqual([expect.objectContaining({ code: 'limit_exceeded', column: 'email' })]);
  });

  it('takes cells that are not there for empty ones', () => {
    expect(read(['name', 'email', 'company'], ['Jane'])).toEqual({
      contact: { ...EMPTY_ROW, name: 'Jane' },
      problems: [],
    });
  });

  it('allows empty cells too many, and refuses others', () => {
    expect(read(['name', 'email'], ['Jane', '', ' ', '']).problems).toEqual([]);
    expect(read(['name', 'email'], ['Jane', '', 'x']).problems).toEqual([
      expect.objectContaining({ code: 'incorrect_number_of_columns', isError: true, column: null }),
    ]);
  });

  it('refuses more combining marks in a row than any language has, and does no more work on them', () => {
    const marks = '\u0301\u0323'.repeat(20_000);
    const columns = ['name', 'email', 'customFields.plan'];
    expect(read(columns, [`Jane${marks}`, `j${marks}@example.com`, marks]).problems).toEqual(
      columns.map((column) =>
        expect.objectContaining({ column, code: 'invalid_value', isError: true, message: MARKS }),
      ),
    );
    expect(read(['name'], [`a${'\u0301\u0323'.repeat(15)}`]).problems).toEqual([]);
  });

  it('counts characters as requests do', () => {
    const hearts = '❤️'.repeat(40);
    const codes = (tag: string) => read(['name', 'tags'], ['Jane', tag]).problems.map(({ code }) => code);
    expect([codes(hearts), codes('😀'.repeat(60))]).toEqual([['value_too_long'], []]);
  });

  it('removes one apostrophe that the export added, unless that is switched off', () => {
    expect(read(['name', 'email'], ["'=SUM(1)", '']).contact.name).toBe('=SUM(1)');
    expect(read(['name', 'email'], ["'=SUM(1)", ''], { raw: true }).contact.name).toBe("'=SUM(1)");
  });

  it('reads custom fields as text or as JSON, by their column', () => {
    const columns = [
      'name',
      'customFields.plan',
      'customFieldsJson.seats',
      'customFieldsJson.note',
      'customFieldsJson.old',
    ];
    expect(read(columns, ['Jane', '5', '5', '"5"', 'null']).contact.customFields).toEqual({
      plan: '5',
      seats: 5,
      note: '5',
      old: null,
    });
    expect(read(columns, ['Jane', '', '[1]']).problems).toEqual([
      expect.objectContaining({ code: 'invalid_value', column: 'customFieldsJson.seats', value: '[1]' }),
    ]);
  });

  it('keeps all digits of an id that a number cannot represent', () => {
    const columns = ['name', 'customFields', 'customFieldsJson.crm'];
    const row = ['Jane', '{"shop":9007199254740993}', '12345678901234567890'];
    expect(read(columns, row).contact.customFields).toEqual({
      shop: '9007199254740993',
      crm: '12345678901234567890',
    });
  });

  it.each([
    ['email', 'nobody', 'invalid_email'],
    ['name', 'x'.repeat(201), 'value_too_long'],
    ['phones', 'x'.repeat(41), 'value_too_long'],
    ['phones', Array.from({ length: 11 }, (_, n) => n).join(';'), 'limit_exceeded'],
    ['id', '123', 'invalid_value'],
    ['name', 'a\0b', 'invalid_value'],
    ['customFields.x', 'x'.repeat(1_001), 'value_too_long'],
    ['customFieldsJson.x', '1e999', 'invalid_value'],
    ['customFieldsJson.x', '-1e999', 'invalid_value'],
    ['customFields', '{"x":1e999}', 'invalid_value'],
  ])('refuses a wrong %s', (column, cell, code) => {
    expect(read(['externalId', column], ['1', cell]).problems).toEqual([
      expect.objectContaining({ code, isError: true, column }),
    ]);
  });

  it('counts characters as people do', () => {
    expect(read(['name', 'email'], ['😀'.repeat(200), '']).problems).toEqual([]);
    const key = '😀'.repeat(60);
    const { contact } = read(['name', `customFields.${key}`], ['Jane', 'x']);
    expect(contact.customFields).toEqual({ [key]: 'x' });
    expect(read(['name', `customFields.${key}😀`], ['Jane', 'x']).contact.customFields).toBeNull();
  });

  it.each([
    ['name', 'value_ignored', false],
    ['Company', 'value_ignored', false],
    ['Phone', 'value_ignored', false],
    ['City', 'invalid_email', true],
    ['externalId', 'invalid_email', true],
  ])('keeps a row with a wrong address when it has a %s, or fails it', (column, code, isError) => {
    for (const address of ['jana@@example.com', 'see the old list']) {
      const { contact, problems } = read([column, 'email'], ['1', address]);
      expect(problems).toEqual([expect.objectContaining({ code, isError, column: 'email', value: address })]);
      expect(contact.email).toBeNull();
    }
  });

  it.each([
    ['a@example.com ::: b@example.com', 'a@example.com', ['b@example.com'], []],
    ['Jane <a@example.com>; "Doe, J" <b@example.com>', 'a@example.com', ['b@example.com'], ['value_ignored']],
    ['a@example.com, A@Example.com b@example.com', 'a@example.com', ['b@example.com'], []],
    ['a@example.com\u200b', 'a@example.com', null, []],
    ['mailto:a@example.com', 'a@example.com', null, []],
    ['SMTP:a@example.com;smtp:b@example.com', 'a@example.com', ['b@example.com'], []],
    ['<mailto:a@example.com>', 'a@example.com', null, []],
    ['a@example.com.', 'a@example.com', null, []],
    ['/O=ACME/OU=EXCHANGE/CN=RECIPIENTS/CN=JANE', null, null, ['value_ignored']],
    ['CN=Jane Doe/OU=Prague/O=Acme', null, null, ['value_ignored']],
    ['EX:/o=acme/cn=jane; SMTP:a@example.com', 'a@example.com', null, ['value_ignored']],
    ['X400:c=US;a= ;p=Acme;s=Doe;g=Jane;', null, null, ['value_ignored']],
    ['sip:a@example.com', null, null, ['value_ignored']],
    ['GWISE:a@example.com', 'a@example.com', null, []],
    ['MS:a@example.com; CCMAIL:b@example.com', 'a@example.com', ['b@example.com'], []],
    ['<X400:a@example.com.>', 'a@example.com', null, []],
    ['GWISE:JANE.PO1.ACME', null, null, ['value_ignored']],
    ['MS:ACME/PO1/JANE', null, null, ['value_ignored']],
    ['CCMAIL:Doe, Jane at Prague PO', null, null, ['value_ignored']],
    ['/O=Acme, Inc./OU=Prague/CN=Jane', null, null, ['value_ignored']],
    ['jane@@example.com', null, null, ['value_ignored']],
    ['jane@example', null, null, ['value_ignored']],
    ['o=a@example.com', 'o=a@example.com', null, []],
    ['-', null, null, []],
    ['n/a', null, null, []],
    ['a@example.com; nobody', 'a@example.com', null, ['value_ignored']],
    ['nobody', null, null, ['value_ignored']],
    ['a@example.com / b@example.com', 'a@example.com', ['b@example.com'], []],
    ['a@example.com/b@example.com', 'a@example.com', ['b@example.com'], []],
    ['a@example.com|b@example.com | c@example.com', 'a@example.com', ['b@example.com', 'c@example.com'], []],
    ['a@example.com und b@example.com', 'a@example.com', ['b@example.com'], []],
    ['a@example.com AND b@example.com', 'a@example.com', ['b@example.com'], []],
    ['Jana <a@example.com> und Max <b@example.com>', 'a@example.com', ['b@example.com'], []],
    ['a@example.com und', 'a@example.com', null, ['value_ignored']],
    ['a@example.com (privat)', 'a@example.com', null, ['value_ignored']],
    ['nobody / a@example.com', 'a@example.com', null, ['value_ignored']],
    ['a@example.com/nobody', 'a@example.com', null, ['value_ignored']],
    ['a@example.com / -', 'a@example.com', null, []],
    ['x/a@example.com', 'x/a@example.com', null, []],
    ['x|a@example.com/y/b@example.com', 'x|a@example.com', ['y/b@example.com'], []],
    ['Sales and Marketing <a@example.com>', 'a@example.com', null, []],
    ['max and moritz@example.com', null, null, ['value_ignored']],
    ['jana doe@example.com', null, null, ['value_ignored']],
    ['a@example.com or so', null, null, ['value_ignored']],
    ['und / and', null, null, ['value_ignored']],
  ])('reads the addresses of %j', (cell, email, additionalEmails, codes) => {
    const { contact, problems } = read(['name', 'email'], ['Jane', cell]);
    expect([contact.email, contact.additionalEmails]).toEqual([email, additionalEmails]);
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ['1990-05-12', '1990-05-12'],
    ['12.5.1990', '1990-05-12'],
    ['5/13/1990', '1990-05-13'],
    ['13/5/1990', '1990-05-13'],
    ['--05-12', '--05-12'],
    ['19900512', '1990-05-12'],
    ['1990-05-12T00:00:00.000Z', '1990-05-12'],
    ['0/0/00', null],
  ])('reads the birthday %j', (cell, birthday) => {
    expect(read(['name', 'Birthday'], ['Jane', cell])).toMatchObject({ contact: { birthday }, problems: [] });
  });

  it.each(['03/04/1990', '1990-02-30', 'in May'])('leaves out the birthday %j with a warning', (cell) => {
    const { contact, problems } = read(['name', 'Birthday'], ['Jane', cell]);
    expect([contact.birthday, problems.map(({ code }) => code)]).toEqual([null, ['value_ignored']]);
  });

  it('puts the parts of addresses together, and takes a whole one as it is', () => {
    const columns = ['Name', 'Business Street', 'Business City', 'Home City', 'Address', 'Website', 'Notes'];
    const cells = ['Jane', 'Main 1', 'Bonn', 'Köln', 'Hill 2\nOslo', 'acme.com javascript:alert(1)', 'Hello'];
    const { contact, problems } = read(columns, cells);
    const none = { label: null, street: null, city: null, region: null, postalCode: null, country: null };
    expect(contact).toMatchObject({
      addresses: [
        { ...none, street: 'Main 1', city: 'Bonn' },
        { ...none, city: 'Köln' },
        { ...none, street: 'Hill 2\nOslo' },
      ],
      websites: ['acme.com'],
      note: 'Hello',
    });
    expect(problems.map(({ code, column }) => [code, column])).toEqual([['value_ignored', 'Website']]);
  });

  it('refuses cells whose bytes could not be read, and only where bytes are broken', () => {
    expect(read(['name', 'email'], ['J\ufffdrgen', '']).problems).toEqual([]);
    expect(read(['name', 'email'], ['J\ufffdrgen', ''], { hasBrokenBytes: true }).problems).toEqual([
      expect.objectContaining({ code: 'invalid_value', column: 'name' }),
    ]);
  });
});
