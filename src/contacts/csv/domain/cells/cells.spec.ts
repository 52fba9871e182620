import fc from 'fast-check';
import {
  hasLostDigits,
  wholeNumber,
  withoutTextFormula,
  isPlaceholder,
  guarded,
  unguarded,
} from './raw-cell.js';
import { listCell, listCellOfJson, valuesOfCell } from './list-cell.js';

describe('a cell that a spreadsheet could run', () => {
  it.each(['=HYPERLINK("http://evil")', '@SUM(1)', '-2+3', '+cmd|calc', '＝1', '-', "'=1"])(
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

  it.each([
    ['+1;=2', "'+1;'=2"],
    ["x;=cmd|'/C calc'!A0;y", "x;'=cmd|'/C calc'!A0;y"],
    ['x, @SUM(1)', "x,' @SUM(1)"],
    ['a\n-2+3', "a\n'-2+3"],
    ['x|"=1"', `x|"'=1"`],
    ['3,-5;+49 30 1; +49 30 2', '3,-5;+49 30 1; +49 30 2'],
    ['\t=1', "'\t'=1"],
    ['n/a', "'n/a"],
    [' \n-', "' \n'-"],
    [' =1+1', "' =1+1"],
    ['\u00a0 @SUM(1)', "'\u00a0 @SUM(1)"],
    [" '=1", "' '=1"],
    ['x;\u00a0=1', "x;'\u00a0=1"],
    ['x;\t=1', "x;\t'=1"],
    [' +49 30 1; +49 30 2', ' +49 30 1; +49 30 2'],
  ])('%j is written as %j', (cell, written) => {
    expect(guarded(cell)).toBe(written);
    expect(unguarded(written)).toBe(cell);
  });

  it('comes back as it was', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...`'=+1 \t@,;|"\n-n/aN\u00a0\v`)).map((c) => c.join('')),
    );
    fc.assert(
      fc.property(cell, (text) => expect(unguarded(guarded(text))).toBe(text)),
      { numRuns: 3_000 },
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

  it('are neither placeholders nor formulas', () => {
    expect(valuesOfCell('+420 601 ; - ; n/a', 'phones')).toEqual(['+420 601']);
    expect(valuesOfCell('="0444";="0555"', 'phones')).toEqual(['0444', '0555']);
    expect(valuesOfCell('-; n/a; vip', 'tags')).toEqual(['vip']);
  });

  it('come back as they were', () => {
    const value = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom(
        'a;b',
        'a,b',
        '"a"',
        '"a","b"',
        '* a',
        '["x"]',
        'a ::: b',
        '[',
        'a\nb',
        '-',
        'n/a',
        '="x"',
      ),
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

describe('a cell without a value', () => {
  it.each([
    '-',
    '--',
    '–',
    '.',
    '?',
    '/',
    'n/a',
    'N/A',
    'N A',
    'n.a.',
    '#N/A',
    '#REF!',
    '#DIV/0!',
    '(null)',
    'NULL',
    '\\N',
    ' - ',
  ])('is %j', (cell) => expect(isPlaceholder(cell)).toBe(true));

  it.each(['', 'Na', 'None', 'Null', 'A', '0', '-5', "'-", 'Nan', 'n a t'])('is not %j', (cell) =>
    expect(isPlaceholder(cell)).toBe(false),
  );
});

describe('a number that a spreadsheet damaged', () => {
  it.each([
    ['420601000333.0', '420601000333'],
    ['420601000333,00', '420601000333'],
    ['4.20601000333E+11', '420601000333'],
    ['4.20601000333E11', '420601000333'],
    ['+4.20601000333E+11', '+420601000333'],
    ['7E12', '7E12'],
    ['+420601000333', '+420601000333'],
    ['030.12', '030.12'],
  ])('%s is read as %s', (cell, number) => {
    expect(wholeNumber(cell)).toBe(number);
    expect(hasLostDigits(cell)).toBe(false);
  });

  it.each(['4.20601E+11', '4,20601e+11', '4E+11', '+4.20601E+11', '4.20601E11'])('%s lost digits', (cell) =>
    expect(hasLostDigits(cell)).toBe(true),
  );

  it.each([
    ['="0444123"', '0444123'],
    ['="a""b"', 'a"b'],
    ['=1+1', '=1+1'],
    ['="a"&"b"', '="a"&"b"'],
  ])('%s is the text %s', (cell, text) => expect(withoutTextFormula(cell)).toBe(text));
});
