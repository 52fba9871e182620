import { chooseIndexed } from './media.matches.js';

const FILES = 1_000_000;

const chosen = (...rows: readonly (number | { prefix: number })[]) => {
  const terms = rows.map((one) =>
    typeof one === 'number' ? { rows: one, isPrefix: false } : { rows: one.prefix, isPrefix: true },
  );
  return [...chooseIndexed(FILES, terms).indexed].sort();
};

describe('the terms of a search that the index reads', () => {
  it('are those that spare more rows than they cost', () => {
    // The brand has all files: its entries spare nothing.
    expect(chosen(FILES, 500)).toEqual([1]);
    expect(chosen(FILES, 30_000, 90_000)).toEqual([1, 2]);
    // A frequent prefix with a rare word is checked in the rows of the word; with a frequent word, the index spares more.
    expect(chosen(FILES, 400, { prefix: 100_000 })).toEqual([1]);
    expect(chosen(FILES, 80_000, { prefix: 100_000 })).toEqual([1, 2]);
  });

  it('are at least one, even if each matches every file, or the table is empty', () => {
    expect(chosen(FILES)).toEqual([0]);
    expect([...chooseIndexed(0, [{ rows: 0, isPrefix: false }]).indexed]).toEqual([0]);
  });

  it('cost as much as their entries and the rows that are left', () => {
    expect(chooseIndexed(FILES, [{ rows: 10_000, isPrefix: false }]).microseconds).toBe(300 + 60_000);
  });
});
