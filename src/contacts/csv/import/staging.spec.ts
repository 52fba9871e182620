import { rowIds } from './staging.js';

describe('ids of the rows of an import', () => {
  it('are UUIDv7 in the order of the rows', () => {
    const idOf = rowIds();
    const rows = [1, 2, 255, 256, 257, 65_535, 65_536, 4_194_303, 4_194_304, 4_194_305, 2 ** 33];
    const ids = rows.map(idOf);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('are never the same twice, not even for one row', () => {
    const idOf = rowIds();
    expect(new Set(Array.from({ length: 1_000 }, () => idOf(7))).size).toBe(1_000);
  });
});
