import fc from 'fast-check';
import { canonicalJson } from './audit-entry.js';

/** RFC 8785 knows -0 only as 0. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

describe('canonical JSON', () => {
  it('sorts members at every depth and keeps the order of lists', () => {
    expect(canonicalJson({ b: [2, { d: 1, c: 'x' }], a: null })).toBe('{"a":null,"b":[2,{"c":"x","d":1}]}');
  });

  it('leaves out what is undefined, as JSON does', () => {
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  it('is equal for every order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
