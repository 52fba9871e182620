import { randomUUIDv7 } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { TimeSlices } from '#libs/concurrency';
import { streamSafe, tidyText } from '#libs/http';
import { writtenValues } from '../../views/contact.view.js';
import { problem, type RowProblem } from '../domain/cells/row-problem.js';
import type { RecordProblem } from '../domain/records/record-splitter.js';
import type { ImportRules } from '../dto/import-contacts.dto.js';
import type { RowMessageDto } from '../dto/import-report-parts.dto.js';
import { MAX_MESSAGES } from '../dto/import-report.dto.js';
import type { CsvFile } from '../reading/csv-file.js';
import { type CsvRow, isBlank } from '../reading/parse-rows.js';
import { contactOfRow, type ReadingRules } from '../rows/contact-of-row.js';
import { EMPTY_ROW, matchKey, type MatchKind, type RowContact } from '../rows/row-contact.js';
import type { ImportSession } from './import-session.js';
import type { RowsToPlan } from './plan-rows.statements.js';
import { ANALYZE_ROWS, COPY_ROWS, copyLine } from './staging.statements.js';

/**
 * New ids for the rows of one import: UUIDv7 with one timestamp, then the row number, then random bits (RFC 9562, section
 * 6.2, counter), so that contacts are listed in the order of their file. Row numbers up to 2^34.
 */
export function rowIds(): (row: number) => string {
  const instant = randomUUIDv7().slice(0, 14);
  return (row) => {
    const high = hex(Math.floor(row / 2 ** 22) % 2 ** 12, 3);
    const middle = hex(0x8000 + (Math.floor(row / 2 ** 8) % 2 ** 14), 4);
    return `${instant}7${high}-${middle}-${hex(row % 2 ** 8, 2)}${randomUUIDv7().slice(-10)}`;
  };
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

export interface Staged extends RowsToPlan {
  readonly rowsRead: number;
  readonly skippedEmpty: number;
  readonly messages: readonly RowMessageDto[];
  readonly isTruncated: boolean;
}

/**
 * One COPY ends with the row that reaches either limit. Each is its own transaction, so that none delays the readers of
 * the event log for long; at most two are in memory, the one being sent and the next.
 */
const ROWS_AT_ONCE = 4_000;
const CHARACTERS_AT_ONCE = 2 * 1024 * 1024;

const PROBLEMS: Readonly<Record<RecordProblem, RowProblem>> = {
  quote_not_closed: problem('could_not_parse_row', 'has a quote that is never closed'),
  text_after_quote: problem(
    'could_not_parse_row',
    'has text after a closing quote. Write quotes inside a quoted cell twice',
  ),
  too_large: problem('row_too_large', 'is longer than the maximum of a row'),
};

export class Staging {
  private lines: string[] = [];
  private characters = 0;
  private copying: Promise<void> = Promise.resolve();
  private rowsRead = 0;
  private skippedEmpty = 0;
  private readonly messages: RowMessageDto[] = [];
  private isTruncated = false;
  private readonly kinds = new Set<MatchKind>();
  private hasAdditional = false;
  private readonly newId = rowIds();

  private constructor(
    private readonly session: ImportSession,
    private readonly reading: ReadingRules,
    private readonly rules: ImportRules,
  ) {}

  static async fill(
    session: ImportSession,
    file: CsvFile,
    { reading, rules, signal }: { reading: ReadingRules; rules: ImportRules; signal: AbortSignal },
  ): Promise<Staged> {
    const staging = new Staging(session, reading, rules);
    const slices = new TimeSlices();
    try {
      for await (const rows of file.rows(reading.mapping)) {
        signal.throwIfAborted();
        for (const row of rows) {
          await slices.pause();
          staging.add(row);
          if (staging.isFull) await staging.flush();
        }
      }
      await staging.flush();
    } finally {
      await staging.copying;
    }
    await session.query(ANALYZE_ROWS);
    const { rowsRead, skippedEmpty, messages, isTruncated, kinds, hasAdditional } = staging;
    return { rowsRead, skippedEmpty, messages, isTruncated, kinds, hasAdditional };
  }

  private add({ record, cells }: CsvRow): void {
    this.rowsRead += 1;
    if (isEmpty({ record, cells })) {
      this.skippedEmpty += 1;
      return;
    }
    const { contact, problems } = cells
      ? contactOfRow(cells, this.reading)
      : { contact: EMPTY_ROW, problems: [PROBLEMS[record.problem ?? 'text_after_quote']] };
    this.report(problems, record.line);
    const errors = problems.filter(({ isError }) => isError);
    const line = this.line(contact, errors, record);
    this.lines.push(line);
    this.characters += line.length;
  }

  private get isFull(): boolean {
    return this.lines.length >= ROWS_AT_ONCE || this.characters >= CHARACTERS_AT_ONCE;
  }

  private report(problems: readonly RowProblem[], line: number): void {
    for (const { isError, ...rest } of problems) {
      if (this.messages.length >= MAX_MESSAGES) this.isTruncated = true;
      else this.messages.push({ line, row: this.rowsRead, severity: isError ? 'error' : 'notice', ...rest });
    }
  }

  private line(contact: RowContact, errors: readonly RowProblem[], record: CsvRow['record']): string {
    const isFailed = errors.length > 0;
    const values = isFailed ? EMPTY_ROW : contact;
    const matches = this.rules.duplicates !== 'create';
    return copyLine([
      ...this.session.key,
      this.rowsRead,
      matches ? values.id : null,
      ...writtenValues(values),
      values.note,
      matches ? this.keyOf(values) : null,
      this.newId(this.rowsRead),
      isFailed,
      describe(errors),
      // The database normalises it when a contact is erased (forgetInImports).
      streamSafe(record.text),
      record.line,
    ]);
  }

  private keyOf(contact: RowContact): string | null {
    const { kind, text } = matchKey(contact, this.rules.key);
    if (kind) this.kinds.add(kind);
    this.hasAdditional ||= contact.additionalEmails !== null;
    return text;
  }

  /** Sends the buffered rows while the next ones are read; waits only for the previous COPY. */
  private async flush(): Promise<void> {
    await this.copying;
    const text = this.lines.join('');
    this.lines = [];
    this.characters = 0;
    if (text === '') return;
    const copying = this.session.transaction(({ client }) =>
      pipeline(Readable.from([Buffer.from(text)]), client.query(copyFrom(COPY_ROWS))),
    );
    this.copying = copying;
    // The error is handled where the promise is awaited; until then it must not count as unhandled.
    copying.catch(() => undefined);
  }
}

function isEmpty({ record, cells }: CsvRow): boolean {
  return cells ? cells.every((cell) => tidyText(cell) === null) : !record.problem && isBlank(record);
}

function describe(errors: readonly RowProblem[]): string | null {
  if (errors.length === 0) return null;
  return errors
    .map(({ code, column, message }) => `${code}: ${column === null ? '' : `${column} `}${message}`)
    .join('; ');
}
