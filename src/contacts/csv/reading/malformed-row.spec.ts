import fc from 'fast-check';
import { cellsOfMalformedRow } from './parse-rows.js';

describe('the cells of a damaged row', () => {
  it.each([
    [
      'text behind a quote',
      '"Max" x,max@example.com,"Acme, Inc."',
      ['"Max" x', 'max@example.com', 'Acme, Inc.'],
    ],
    ['an open quote', '"Max,max@example.com,', ['"Max', 'max@example.com', '']],
    ['an open quote behind good cells', '"a ""b""", "c" ,"d', ['a "b"', 'c', '"d']],
    ['a quote in the middle', 'a,b "c" d,e', ['a', 'b "c" d', 'e']],
    ['a line break in a good cell', '"a\nb","c"d', ['a\nb', '"c"d']],
    ['nothing', '', ['']],
  ])('%s', (_, text, cells) => expect(cellsOfMalformedRow(text, ',')).toEqual(cells));

  it('are those of a good row where it is one, and lose no character where not', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ';', '\n', 'ä') });
    const written = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        expect(cellsOfMalformedRow(cells.map(written).join(';'), ';')).toEqual(cells);
        const plain = cells.join(';').replaceAll('"', "'");
        expect(cellsOfMalformedRow(plain, ';').join(';')).toBe(plain);
      }),
    );
  });
});
