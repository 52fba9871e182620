import { mapColumns } from '../columns/map-columns.js';
import { contactOfRow } from './contact-of-row.js';

function read(columns: string[], cells: string[], rules: { raw?: boolean; hasBrokenBytes?: boolean } = {}) {
  return contactOfRow(cells, {
    mapping: mapColumns({ organizationId: '', columns }),
    columns: columns.length,
    raw: false,
    hasBrokenBytes: false,
    ...rules,
  });
}

const nothing = {
  id: null,
  name: null,
  email: null,
  emailKey: null,
  company: null,
  jobTitle: null,
  phones: null,
  tags: null,
  customFields: null,
  externalId: null,
};

const MARKS = 'holds more than 30 combining marks in a row';

describe('a row as a contact', () => {
  it('says what its cells say, tidied', () => {
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
      ...nothing,
      name: 'Jana Nováková',
      email: 'Jana@Example.COM',
      emailKey: 'jana@example.com',
      company: 'Acme',
      jobTitle: 'Roaster',
      phones: ['+420 1', '+420 2'],
      tags: ['vip', 'Prague'],
    });
  });

  it('takes cells that are not there for empty ones', () => {
    expect(read(['name', 'email', 'company'], ['Jane'])).toEqual({
      contact: { ...nothing, name: 'Jane' },
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

  it('takes one apostrophe off what the export guarded, unless told not to', () => {
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

  it('says which of several addresses it leaves out', () => {
    const { contact, problems } = read(['name', 'email'], ['Jane', 'a@example.com ::: b@example.com']);
    expect(contact.email).toBe('a@example.com');
    expect(problems).toEqual([
      expect.objectContaining({ code: 'value_ignored', isError: false, column: 'email' }),
    ]);
  });

  it('refuses cells whose bytes could not be read, and only where bytes are broken', () => {
    expect(read(['name', 'email'], ['J\ufffdrgen', '']).problems).toEqual([]);
    expect(read(['name', 'email'], ['J\ufffdrgen', ''], { hasBrokenBytes: true }).problems).toEqual([
      expect.objectContaining({ code: 'invalid_value', column: 'name' }),
    ]);
  });
});
