import { CursorCodec } from './cursor-codec.js';
import { Pages } from './pages.js';

const ROWS = ['a', 'b', 'c'].map((id) => ({ id }));

describe('the pages of a list', () => {
  const pages = new Pages(new CursorCodec('a secret of sixteen'));
  const load = (after: string | null, count: number) =>
    Promise.resolve(ROWS.filter(({ id }) => id > (after ?? '')).slice(0, count));
  const read = (cursor?: string, list = 'rows') =>
    pages.byId({ list }, { limit: 2, cursor }, load, ({ id }) => id);

  it('follow one another, each row once', async () => {
    const first = await read();
    expect(first).toMatchObject({ data: ['a', 'b'], pagination: { limit: 2, hasMore: true } });
    const second = await read(first.pagination.nextCursor ?? '');
    expect(second).toEqual({ data: ['c'], pagination: { limit: 2, hasMore: false, nextCursor: null } });
  });

  it('start over with a cursor of another list', async () => {
    const { pagination } = await read();
    expect((await read(pagination.nextCursor ?? '', 'others')).data).toEqual(['a', 'b']);
  });

  it('show what is known of all rows', async () => {
    const counted = () => Promise.resolve({ rows: ROWS, totalExceeds: 1_000, page: 1 });
    const { pagination } = await pages.byId({ list: 'rows' }, { limit: 3 }, counted, (row) => row);
    expect(pagination).toEqual({ limit: 3, hasMore: false, nextCursor: null, totalExceeds: 1_000, page: 1 });
  });

  describe('of a list to follow', () => {
    const keyOf = ({ id }: { id: string }): readonly [string] => [id];
    const list = { list: 'rows', keyOf, start: [''] as const };
    const follow = (cursor: string | null, rows: readonly { id: string }[]) => {
      const loaded = (after: readonly [string] | null) =>
        Promise.resolve(rows.filter(({ id }) => id > (after?.[0] ?? '')));
      return pages.page(list, { limit: 2, cursor: cursor ?? undefined }, loaded, ({ id }) => id);
    };

    it('always have a cursor, from which later rows are found', async () => {
      const none = await follow(null, []);
      const some = await follow(none.pagination.nextCursor, ROWS.slice(0, 1));
      expect([some.data, some.pagination.hasMore]).toEqual([['a'], false]);
      const still = await follow(some.pagination.nextCursor, ROWS.slice(0, 1));
      expect(still.data).toEqual([]);
      expect((await follow(still.pagination.nextCursor, ROWS)).data).toEqual(['b', 'c']);
    });
  });
});
