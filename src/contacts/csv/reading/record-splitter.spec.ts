import fc from 'fast-check';
import { csvText } from '#libs/text';
import { parseRows } from './parse-rows.js';
import { type CsvRecord, MAX_RECORD, RecordSplitter } from '../domain/records/record-splitter.js';

function split(text: string, options: { delimiter?: string; chunk?: number } = {}): CsvRecord[] {
  const splitter = new RecordSplitter(options.delimiter ?? ',');
  const size = options.chunk ?? Math.max(1, text.length);
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += size) records.push(...splitter.push(text.slice(at, at + size)));
  return [...records, ...splitter.end()];
}

async function rowsOf(text: string, delimiter = ',') {
  return (await parseRows(split(text, { delimiter }), delimiter)).map(
    ({ cells, record }) => cells ?? record.problem,
  );
}

describe('cutting text into records', () => {
  it.each([
    ['LF', 'a,b\nc,d\n'],
    ['CRLF', 'a,b\r\nc,d\r\n'],
    ['CR', 'a,b\rc,d\r'],
    ['no final line break', 'a,b\nc,d'],
  ])('ends records at %s', (_, text) => {
    expect(split(text)).toEqual([
      { line: 1, text: 'a,b' },
      { line: 2, text: 'c,d' },
    ]);
  });

  it('counts physical lines through cells with line breaks', () => {
    expect(split('a,"x\r\ny\nz"\nb,c\n\nd')).toEqual([
      { line: 1, text: 'a,"x\r\ny\nz"' },
      { line: 4, text: 'b,c' },
      { line: 5, text: '' },
      { line: 6, text: 'd' },
    ]);
  });

  it('leaves quotes inside unquoted cells alone', async () => {
    expect(await rowsOf('5" pipe,Jane "JJ" Doe\nx,y')).toEqual([
      ['5" pipe', 'Jane "JJ" Doe'],
      ['x', 'y'],
    ]);
  });

  it('loses one line to text after a closing quote', async () => {
    expect(await rowsOf('a,b\n"Jane "JJ" Doe",x\nc,d')).toEqual([['a', 'b'], 'text_after_quote', ['c', 'd']]);
  });

  it('loses one line to a quote that is never closed', async () => {
    expect(await rowsOf('a,b\n"open,x\nc,d\ne,f\n')).toEqual([
      ['a', 'b'],
      'quote_not_closed',
      ['c', 'd'],
      ['e', 'f'],
    ]);
  });

  it('finds its way back when the quote stays open for longer than a record may be', () => {
    const text = `a\n"open\n${'b,c\n'.repeat(MAX_RECORD / 4)}d`;
    const records = split(text, { chunk: 1_000 });
    expect(records[1]).toEqual({ line: 2, text: '"open', problem: 'quote_not_closed' });
    expect(records).toHaveLength(3 + MAX_RECORD / 4);
    expect(records.at(-1)).toEqual({ line: 3 + MAX_RECORD / 4, text: 'd' });
  });

  it.each(['', '"'])('skips one giant line (%s) and goes on', (quote) => {
    const records = split(`a\n${quote}${'x'.repeat(3 * MAX_RECORD)}\nb`, { chunk: 65_536 });
    expect(records.map(({ line, problem }) => ({ line, problem }))).toEqual([
      { line: 1 },
      { line: 2, problem: 'too_large' },
      { line: 3 },
    ]);
    expect(records[1]?.text.length).toBe(1_000);
  });

  it('keeps a spaced quoted cell as the parser does', async () => {
    expect(await rowsOf('a, "b,c" ,d\n')).toEqual([['a', 'b,c', 'd']]);
  });

  it('cuts the same wherever the chunks end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', ',', '"', '""', '\n', '\r', '\r\n', ' ', '\t', 'é'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (parts, chunk) => expect(split(parts.join(''), { chunk })).toEqual(split(parts.join(''))),
      ),
      { numRuns: 500 },
    );
  });

  it('never joins two rows, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', ',', '"', '""', '\n', '\r', ' ', '\u00a0', '\t'), { maxLength: 40 }),
        async (parts) => {
          const records = split(parts.join(''));
          const rows = await parseRows(records, ',');
          expect(rows.map(({ record }) => record.line)).toEqual(records.map(({ line }) => line));
          for (const { record, cells } of rows) {
            const isReadable = !record.problem && record.text.trim() !== '';
            expect(cells !== null).toBe(isReadable);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc
      .array(fc.constantFrom('"', ',', ';', '\t', '|', '\n', '\r\n', 'x', '\u05d0', '\u202e'), {
        maxLength: 6,
      })
      .map((parts) => parts.join('')),
  );

  it.each([',', ';', '\t', '|'])('reads what was written, parted by %j', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 8 }),
        async (rows) => {
          // A row of only white space is a blank line.
          const kept = rows.filter((row) => row.join(delimiter).trim() !== '');
          const spaced = kept.map((row) => row.map((one) => one.trim()));
          const read = (await rowsOf(csvText(kept, { delimiter, guard: null }), delimiter)) as string[][];
          expect(read.map((row) => row.map((one) => one.trim()))).toEqual(spaced);
        },
      ),
    );
  });
});
