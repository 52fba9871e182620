import { parseString } from 'fast-csv';
import { TimeSlices } from '#libs/concurrency';
import type { CsvRecord } from '../domain/records/record-splitter.js';

/** A well-formed quoted cell, with white space around it. */
const QUOTED = / *"([^"]*(?:""[^"]*)*)" */y;

/**
 * The cells of a row that cannot be parsed, for a person to correct. Well-formed cells are decoded; a malformed cell is
 * unchanged, quotes included, and ends at the next delimiter.
 */
export function cellsOfMalformedRow(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at += delimiter.length) {
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(text);
    if (quoted && isBorder(text, QUOTED.lastIndex, delimiter)) {
      cells.push((quoted[1] as string).replaceAll('""', '"'));
      at += quoted[0].length;
    } else {
      const next = text.indexOf(delimiter, at);
      const end = next < 0 ? text.length : next;
      cells.push(text.slice(at, end));
      at = end;
    }
  }
  return cells;
}

const isBorder = (text: string, at: number, delimiter: string): boolean =>
  at === text.length || text.startsWith(delimiter, at);

/** A record and its cells; null when it has a problem or is blank. */
export interface CsvRow {
  readonly record: CsvRecord;
  readonly cells: readonly string[] | null;
}

/**
 * The cells of records. One call of the parser for all; when it does not return exactly one row per record, each is parsed
 * alone, so that rows are never confused.
 */
export async function parseRows(records: readonly CsvRecord[], delimiter: string): Promise<CsvRow[]> {
  const readable = records.filter((record) => !record.problem && !isBlank(record));
  const texts = readable.map(({ text }) => text);
  const together = await parse(texts.join('\n'), delimiter);
  const rows = together?.length === texts.length ? together : await oneByOne(texts, delimiter);
  let next = 0;
  return records.map((record) => {
    if (record.problem || isBlank(record)) return { record, cells: null };
    const cells = rows[next] ?? null;
    next += 1;
    return cells ? { record, cells } : { record: { ...record, problem: 'text_after_quote' }, cells };
  });
}

export const isBlank = ({ text }: CsvRecord): boolean => text.trim() === '';

async function oneByOne(texts: readonly string[], delimiter: string): Promise<(string[] | null)[]> {
  const slices = new TimeSlices();
  const rows: (string[] | null)[] = [];
  for (const text of texts) {
    await slices.pause();
    rows.push(await one(text, delimiter));
  }
  return rows;
}

async function one(text: string, delimiter: string): Promise<string[] | null> {
  const rows = await parse(text, delimiter);
  return rows?.length === 1 ? (rows[0] ?? null) : null;
}

function parse(text: string, delimiter: string): Promise<string[][] | null> {
  if (text === '') return Promise.resolve([]);
  return new Promise((resolve) => {
    const rows: string[][] = [];
    parseString<string[], string[]>(text, { delimiter, headers: false })
      .on('data', (row: string[]) => rows.push(row))
      .on('error', () => resolve(null))
      .on('end', () => resolve(rows));
  });
}
