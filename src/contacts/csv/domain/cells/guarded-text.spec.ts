import { csvText } from '#libs/text';
import { GUARD } from './raw-cell.js';

describe('rows as CSV', () => {
  it.each([',', ';', '\t', '|'])(
    'quotes cells that hold any usual delimiter, where it is %j',
    (delimiter) => {
      const cells = ['a,b', 'a;b', 'a\tb', 'a b', 'a"b', `a${delimiter}b`];
      const quoted = ['"a,b"', '"a;b"', '"a\tb"', 'a b', '"a""b"', `"a${delimiter}b"`];
      expect(csvText([cells], { delimiter, guard: GUARD })).toBe(`${quoted.join(delimiter)}\r\n`);
    },
  );

  it.each([',', ';', '\t', '|', '^'])(
    'has no formula where a reader splits it at any delimiter, not %j',
    (delimiter) => {
      const attack = "=cmd|'/C calc'!A0";
      const cells = [',', ';', '\t', '|', '\n', '\r\n', '"', '; ', ';"'].map(
        (before) => `x${before}${attack}${before}y`,
      );
      const text = csvText([['a', ...cells, attack]], { delimiter, guard: GUARD });
      for (const split of [',', ';', '\t', '|', '\n', '\r', '"', delimiter])
        for (const cell of text.split(split)) expect(cell.trim()).not.toMatch(/^["\s]*[=+@-]/);
    },
  );
});
