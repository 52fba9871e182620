import type { Spool } from '#libs/uploads';
import { columnNames } from '../columns/known-headers.js';
import type { MappedColumn } from '../columns/map-columns.js';
import { unguarded } from '../domain/cells/raw-cell.js';
import { FileIsNotReadable } from '../domain/csv.errors.js';
import { type Encoding, encodingOf } from './encoding.js';
import {
  type Beginning,
  findTable,
  MAX_COLUMNS,
  SEPARATOR_LINE,
  type Table,
  type TableHints,
} from './find-table.js';
import { type CsvRow, parseRows } from './parse-rows.js';
import { type CsvRecord, RecordSplitter } from '../domain/records/record-splitter.js';
import { TextAfterTable } from './text-after-table.js';
import { chunkDecoder } from './text-decoder.js';
import { type Utf8Evidence, Utf8Scan } from './utf8-scan.js';

export interface ReadingHints extends TableHints {
  /** A label of the Encoding Standard, for files that are not UTF-8 and have no byte order mark. */
  readonly encoding?: string;
  /** Keeps apostrophes before formula characters. */
  readonly raw?: boolean;
}

const CHUNK = 128 * 1024;
const HEAD = 64 * 1024;
const SAMPLE_CHARACTERS = 256 * 1024;
/** A batch of rows ends with the row that reaches either limit: the parser does not pause within a batch. */
const ROWS_AT_ONCE = 250;
const CHARACTERS_AT_ONCE = 32 * 1024;

export class CsvFile {
  private constructor(
    private readonly file: Spool,
    readonly encoding: Encoding,
    readonly table: Table,
    readonly columns: readonly string[],
  ) {}

  static async open(file: Spool, hints: ReadingHints): Promise<CsvFile> {
    const encoding = await encodingOf(await file.head(HEAD), await utf8EvidenceOf(file), hints.encoding);
    const beginning = await beginningOf(file, encoding);
    if (beginning.isWhole && beginning.text.trim() === '')
      throw new FileIsNotReadable('The file is empty. Send a CSV file with a header line and rows.');
    const table = await findTable(beginning, hints);
    if (table.columns > MAX_COLUMNS) {
      throw new FileIsNotReadable(
        `The file has ${table.columns} columns; at most ${MAX_COLUMNS} can be read.`,
      );
    }
    const header = hints.raw ? table.header : (table.header?.map(unguarded) ?? null);
    return new CsvFile(file, encoding, table, columnNames(header, table.columns));
  }

  /** Physical lines below the table that are no rows, once all rows were read. */
  linesAfterTable: readonly number[] = [];

  /** The rows of the table, in batches, from disk: at most one batch in memory. */
  async *rows(mapping: readonly MappedColumn[]): AsyncGenerator<CsvRow[]> {
    const text = new TextAfterTable(this.columns.length, mapping);
    for await (const batch of this.batches()) yield text.take(batch);
    yield text.end();
    this.linesAfterTable = text.lines;
  }

  private async *batches(): AsyncGenerator<CsvRow[]> {
    const { headerLine } = this.table;
    let [batch, characters]: [CsvRecord[], number] = [[], 0];
    for await (const records of this.records()) {
      for (const record of records) {
        if (headerLine && record.line <= headerLine) continue;
        batch.push(record);
        characters += record.text.length;
        if (batch.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
        yield this.parse(batch);
        [batch, characters] = [[], 0];
      }
    }
    if (batch.length > 0) yield this.parse(batch);
  }

  private async parse(batch: readonly CsvRecord[]): Promise<CsvRow[]> {
    const { delimiter, firstCell } = this.table;
    const rows = await parseRows(batch, delimiter);
    if (firstCell === 0) return rows;
    return rows.map(({ record, cells }) => ({ record, cells: cells?.slice(firstCell) ?? null }));
  }

  private async *records(): AsyncGenerator<CsvRecord[]> {
    const { delimiter, hasSeparatorLine } = this.table;
    const splitter = new RecordSplitter(delimiter, hasSeparatorLine ? 2 : 1);
    let isFirst = hasSeparatorLine;
    for await (const text of textOf(this.file, this.encoding)) {
      yield splitter.push(isFirst ? text.replace(SEPARATOR_LINE, '') : text);
      isFirst = false;
    }
    yield splitter.end();
  }
}

async function utf8EvidenceOf(file: Spool): Promise<Utf8Evidence> {
  const scan = new Utf8Scan();
  for await (const chunk of file.chunks(CHUNK)) scan.push(chunk);
  return scan.end();
}

async function beginningOf(file: Spool, encoding: Encoding): Promise<Beginning> {
  let text = '';
  for await (const chunk of textOf(file, encoding)) {
    if (text.length + chunk.length > SAMPLE_CHARACTERS)
      return { text: text + chunk.slice(0, SAMPLE_CHARACTERS - text.length), isWhole: false };
    text += chunk;
  }
  return { text, isWhole: true };
}

async function* textOf(file: Spool, { label }: Encoding): AsyncGenerator<string> {
  const decoder = chunkDecoder(label);
  for await (const chunk of file.chunks(CHUNK)) {
    const text = decoder.write(chunk);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}
