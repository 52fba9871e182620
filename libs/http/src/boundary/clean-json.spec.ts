import fc from 'fast-check';
import { MAX_ERRORS } from '../validation/field-errors.js';
import type { RequestIsNotValid } from '../validation/request-validation.pipe.js';
import { cleanJson, isStorable } from './clean-json.js';

const errorsOf = (value: unknown) => {
  try {
    cleanJson(value);
  } catch (error) {
    return (error as RequestIsNotValid).errors;
  }
  return [];
};

describe('a cleaned body', () => {
  it('holds only text that PostgreSQL can store, or is refused', () => {
    const texts = fc.string({ unit: 'binary' });
    let [kept, refused] = [0, 0];
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), texts, (value, extra) => {
        const body = JSON.parse(JSON.stringify({ value, extra })) as unknown;
        const problems = errorsOf(structuredClone(body));
        if (problems.length > 0) {
          refused += 1;
          return;
        }
        kept += 1;
        const strings = [...JSON.stringify(cleanJson(body)).matchAll(/"(?:[^"\\]|\\.)*"/g)];
        for (const [quoted] of strings) expect(isStorable(JSON.parse(quoted) as string)).toBe(true);
      }),
      { examples: [['\0', '']] },
    );
    expect([kept > 10, refused > 0]).toEqual([true, true]);
  });

  it('is in NFC, fields too deep or dangerous named by pointer, all at once', () => {
    expect(cleanJson({ a: ['e\u0301'], 'e\u0301': 1 })).toEqual({ a: ['\u00e9'], '\u00e9': 1 });
    const body = JSON.parse('{"a":[{"__proto__":1}],"b":"\\u0000","c~/d":"\\udc00"}') as unknown;
    expect(errorsOf(body).map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/a/0', 'name_not_allowed'],
      ['#/b', 'text_not_storable'],
      ['#/c~0~1d', 'text_not_storable'],
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('is refused with more combining marks in a row than any language has, in texts and in names', () => {
    const marks = (count: number) => '\u0301\u0323'.repeat(count / 2);
    expect(errorsOf({ a: [`a${marks(30)}b${marks(30)}`], [`a${marks(30)}`]: 1 })).toEqual([]);
    expect(errorsOf({ a: [`a${marks(32)}`], b: { [`a${marks(32)}`]: 1 } })).toEqual([
      {
        pointer: '#/a/0',
        code: 'too_many_marks',
        detail: 'must not hold more than 30 combining marks in a row',
      },
      { pointer: '#/b', code: 'name_not_allowed', detail: 'has a field whose name is not allowed' },
    ]);
  });

  it('is refused at the first errors, however many there are and however long the names on the way', () => {
    const errors = errorsOf({ ['ä'.repeat(5_000)]: Array<string>(1_000).fill('\0') });
    expect(errors).toHaveLength(MAX_ERRORS);
    expect(errors[0]?.pointer).toBe(`#/${'%C3%A4'.repeat(100)}%E2%80%A6/0`);
  });

  it.each([
    '__proto__',
    'prototype',
    'constructor',
    'toString',
    'toLocaleString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
    'propertyIsEnumerable',
    '__defineGetter__',
    '__lookupSetter__',
  ])('is refused with a field %s, which would be left out', (name) => {
    const body = JSON.parse(`{"a":{"${name}":"x"}}`) as unknown;
    expect(errorsOf(body)).toEqual([expect.objectContaining({ pointer: '#/a', code: 'name_not_allowed' })]);
  });

  it('is refused with an object of too many members', () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 1])) as object;
    expect(errorsOf({ a: [named(1_000)] })).toEqual([]);
    expect(errorsOf({ a: [named(1_001)], b: Array.from({ length: 2_000 }, () => 1) })).toEqual([
      { pointer: '#/a/0', code: 'too_many', detail: 'must not have more than 1000 fields' },
    ]);
  });

  it.each([
    ['of scalars', (count: number) => Array<number>(count).fill(1)],
    ['of empty arrays', (count: number) => Array.from({ length: count }, () => [])],
    ['of objects', (count: number) => Array.from({ length: count / 2 }, () => ({ a: 1 }))],
    ['one within the other', (count: number) => Array.from({ length: count / 4 }, () => [[[1]]])],
  ])('is refused with more values than anybody needs: %s', (_, values) => {
    // Itself and the array are values, too.
    expect(errorsOf({ a: values(9_996) })).toEqual([]);
    expect(errorsOf({ a: values(10_000) })).toEqual([
      { pointer: '#', code: 'too_many', detail: 'must not hold more than 10000 values' },
    ]);
  });

  it.each([0, null, true, 'x', [], {}])('leaves %j alone', (value) =>
    expect(cleanJson(value)).toEqual(value),
  );
});
