import fc from 'fast-check';
import { CursorCodec } from './cursor-codec.js';
import { clampLimit, DEFAULT_LIMIT } from './list-query.js';
import { mapPage, pageOf } from './page.js';

describe('limits', () => {
  it('are whole numbers from 1 to 100 for any request', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String), fc.anything()),
        (value) => {
          const limit = clampLimit(
            typeof value === 'object' && value !== null && !Array.isArray(value) ? {} : value,
          );
          expect(Number.isInteger(limit) && limit >= 1 && limit <= 100).toBe(true);
        },
      ),
    );
  });

  it.each([[undefined], [null], ['  '], ['NaN'], [[]]])('are the default for %j', (value) => {
    expect(clampLimit(value)).toBe(DEFAULT_LIMIT);
  });

  it.each([
    ['Infinity', 100],
    ['-Infinity', 1],
    [['5', '7'], 7],
    ['0x10', 16],
  ])('take %j for %i', (value, limit) => expect(clampLimit(value)).toBe(limit));
});

const keys = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)), {
  minLength: 1,
  maxLength: 4,
});
const filters = fc.dictionary(
  fc.constantFrom('status', 'platform', 'from'),
  fc.oneof(fc.string(), fc.constant(undefined)),
);

describe('cursors', () => {
  const codec = new CursorCodec('a secret of sixteen');

  it('come back as they were, in URLs too', () => {
    fc.assert(
      fc.property(keys, filters, (key, given) => {
        const cursor = codec.encode(key, { list: 'posts', filters: given });
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(codec.decode(cursor, { list: 'posts', filters: given })).toEqual(key);
      }),
    );
  });

  it('do not depend on the order of filters or on those not given', () => {
    const cursor = codec.encode([1], { list: 'posts', filters: { a: '1', b: '2' } });
    expect(codec.decode(cursor, { list: 'posts', filters: { b: '2', c: undefined, a: '1' } })).toEqual([1]);
  });

  it('are worth nothing with other filters, for another list, or by another secret', () => {
    const cursor = codec.encode([1], { list: 'posts', filters: { status: 'failed' } });
    expect(codec.decode(cursor, { list: 'posts', filters: { status: 'draft' } })).toBeUndefined();
    expect(codec.decode(cursor, { list: 'brands', filters: { status: 'failed' } })).toBeUndefined();
    const other = new CursorCodec('another secret here');
    expect(other.decode(cursor, { list: 'posts', filters: { status: 'failed' } })).toBeUndefined();
  });

  it('are worth nothing when any byte is changed, and never throw', () => {
    const scope = { list: 'posts' };
    fc.assert(
      fc.property(keys, fc.nat(), fc.integer({ min: 1, max: 255 }), (key, place, change) => {
        const bytes = Buffer.from(codec.encode(key, scope), 'base64url');
        const index = place % bytes.length;
        bytes[index] = (bytes[index] as number) ^ change;
        expect(codec.decode(bytes.toString('base64url'), scope)).toBeUndefined();
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => expect(codec.decode(text, scope)).toBeUndefined()));
  });
});

describe('a page', () => {
  it('read by cursors has every row once, in order, for any limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 10 }), (count, limit) => {
        const rows = Array.from({ length: count }, (_, index) => index);
        const seen: number[] = [];
        for (let after = -1, hasMore = true; hasMore;) {
          const chosen = rows.filter((row) => row > after).slice(0, limit + 1);
          const page = pageOf(chosen, { limit, cursor: String });
          seen.push(...page.data);
          hasMore = page.pagination.hasMore;
          after = Number(page.pagination.nextCursor);
          expect(page.pagination.nextCursor === null).toBe(!hasMore);
        }
        expect(seen).toEqual(rows);
      }),
    );
  });

  it('contains total and page only where they are known', () => {
    const page = pageOf([1, 2], { limit: 1, cursor: String, total: 2 });
    expect(page.pagination).toEqual({ limit: 1, hasMore: true, nextCursor: '1', total: 2 });
    expect(mapPage(page, (row) => row * 10)).toEqual({ data: [10], pagination: page.pagination });
  });
});
