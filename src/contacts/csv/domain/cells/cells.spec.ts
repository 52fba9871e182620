import fc from 'fast-check';
import { guarded, unguarded } from './formula-guard.js';
import { listCell, listCellOfJson, valuesOfCell } from './list-cell.js';

describe('a cell that a spreadsheet could run', () => {
  it.each(['=HYPERLINK("http://evil")', '@SUM(1)', '-2+3', '+cmd|calc', '\t=1', '＝1', '-', "'=1", '+1;=2'])(
    '%j is made text',
    (cell) => expect(guarded(cell)).toBe(`'${cell}`),
  );

  it.each([
    '+49 30 123456',
    '+1 (555) 010-999',
    '+49 30 1; +49 30 2',
    '-5',
    '-5.25',
    '+7',
    "O'Neill",
    "'quoted",
    '',
    'a=b',
  ])('%j stays as it is', (cell) => expect(guarded(cell)).toBe(cell));

  it('comes back as it was', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom("'", '=', '+', '1', ' ', '\t', '@')).map((c) => c.join('')),
    );
    fc.assert(
      fc.property(cell, (text) => expect(unguarded(guarded(text))).toBe(text)),
      { numRuns: 1_000 },
    );
  });
});

describe('several values in one cell', () => {
  it.each([
    ['* friends ::: * myContacts', ['friends', 'myContacts']],
    ['a; b,c', ['a', 'b', 'c']],
    ['["a;b","c"]', ['a;b', 'c']],
    ['["broken', ['["broken']],
    ['"Tag One","Two, three"', ['Tag One', 'Two, three']],
    ['"5"" disks" , "x"', ['5" disks', 'x']],
    ['"x" and "y"', ['"x" and "y"']],
  ])('%j are tags', (cell, tags) => expect(valuesOfCell(cell, 'tags')).toEqual(tags));

  it('are phones without a comma between them', () => {
    expect(valuesOfCell('+49 30 1 ::: 030,,2', 'phones')).toEqual(['+49 30 1', '030,,2']);
  });

  it('come back as they were', () => {
    const value = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('a;b', 'a,b', '"a"', '"a","b"', '* a', '["x"]', 'a ::: b', '[', 'a\nb'),
    );
    const list = fc.array(
      value.map((one) => one.trim()).filter((one) => one !== ''),
      { minLength: 1 },
    );
    for (const kind of ['tags', 'phones'] as const)
      fc.assert(fc.property(list, (values) => expect(valuesOfCell(listCell(values), kind)).toEqual(values)));
    fc.assert(
      fc.property(list, (values) => expect(listCellOfJson(JSON.stringify(values))).toBe(listCell(values))),
    );
  });
});
