import { csvText } from './csv-text.js';

describe('rows as CSV', () => {
  it.each([',', ';', '\t', '|'])(
    'quotes cells that hold any usual delimiter, where it is %j',
    (delimiter) => {
      const cells = ['a,b', 'a;b', 'a\tb', 'a b', 'a"b', `a${delimiter}b`];
      const quoted = ['"a,b"', '"a;b"', '"a\tb"', 'a b', '"a""b"', `"a${delimiter}b"`];
      expect(csvText([cells], { delimiter, raw: false })).toBe(`${quoted.join(delimiter)}\r\n`);
    },
  );

  it('guards a formula behind a semicolon by the quotes around it', () => {
    expect(csvText([['x;=1+1', '=1;2']], { delimiter: ',', raw: false })).toBe(`"x;=1+1","'=1;2"\r\n`);
  });
});
