import fc from 'fast-check';
import { LongString, parseWithLongStrings } from './long-strings.js';
import { isRecord } from './values.js';

const parsed = (text: string): unknown => parseWithLongStrings(Buffer.from(text));
/** With long strings as text. */
const plain = (value: unknown): unknown => {
  if (value instanceof LongString) return value.bytes.toString('latin1');
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
};

describe('JSON with long strings', () => {
  const long = 'QUJD'.repeat(20_000);

  it('leaves long strings as bytes, and nothing else', () => {
    const value = { data: [{ b64_json: long, text: 'short "quoted" \\' }, { b64_json: long }], n: 1.5 };
    const result = parsed(JSON.stringify(value)) as { data: { b64_json: unknown }[] };
    expect(result.data.map((one) => one.b64_json)).toEqual([expect.any(LongString), expect.any(LongString)]);
    expect(plain(result)).toEqual(value);
  });

  it('leaves long strings with escapes to JSON.parse', () => {
    expect(parsed(JSON.stringify([`${long}\n`]))).toEqual([`${long}\n`]);
  });

  it('is printed as it was written', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('\\', '"', '\\"', '😀', long, `${long}"`, `\\${long}`),
    );
    const value = fc.array(fc.oneof(text, fc.dictionary(fc.string(), text), fc.jsonValue()));
    fc.assert(
      fc.property(value, (one) => {
        const json = JSON.stringify(one);
        expect(JSON.stringify(plain(parsed(json)))).toBe(json);
      }),
      { numRuns: 50 },
    );
  });

  it.each(['', '{', '"', `"${long}`, `{"a":"${long}"`, '<html>'])(
    'is undefined for text that is no JSON',
    (text) => {
      expect(parsed(text)).toBeUndefined();
    },
  );
});
