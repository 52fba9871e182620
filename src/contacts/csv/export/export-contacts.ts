import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { escapeLiteral } from 'pg';
import { Database } from '#libs/database';
import type { Match } from '../../contacts.search.js';
import { ContactSearch } from '../../contacts.search.js';
import type { CustomKey, ExportColumn } from './contact-columns.js';
import { exportColumns } from './contact-columns.js';
import { copyRows, withValues } from './copy-rows.js';
import type { CsvStyle } from './csv-text.js';
import { BYTE_ORDER_MARK, csvText } from './csv-text.js';

export interface WhatToExport {
  readonly organizationIds: readonly string[];
  /** Soft-deleted ones instead of all others. */
  readonly deleted: boolean;
  /** As typed into the search. */
  readonly text?: string;
  /** Without the guard against formulas. */
  readonly raw: boolean;
}

export interface CsvExport {
  /** The day by the database's clock, UTC: `2026-11-21`. */
  readonly day: string;
  /** Chunks of text. The next one is read when the last one is taken: memory stays the same however many contacts there are. */
  readonly text: AsyncIterable<string>;
}

/** Oldest first. Contacts that change meanwhile are written as they are when their turn comes. */
export class ExportContacts extends Query<CsvExport> {
  constructor(readonly what: WhatToExport) {
    super();
  }
}

/** A connection is taken for as long as the database needs for these, never for as long as a client takes to read them. */
const ROWS_AT_ONCE = 5_000;
/** Of custom fields, as they are when they are read. A contact may have 50 of 1 000 characters, or none. */
const BYTES_AT_ONCE = 1_000_000;
/**
 * How many contacts of a page may have fields that the database keeps compressed, a hundredth of their size perhaps: to know
 * it they are unpacked, before it is known which of them fit.
 */
const COMPRESSED_AT_ONCE = 200;

/** A condition on rows `c`; $1 is the organization or, for the keys, all of them. */
interface Filter {
  readonly condition: string;
  readonly values: readonly unknown[];
}

interface Page {
  readonly text: string;
  /** The id of its last contact; null when there are no more. */
  readonly last: string | null;
}

const VALUE = `f.value #>> '{}'`;
/**
 * What the import would not read as it is written: all but text that begins and ends with a letter, a digit or a sign of
 * ASCII. The letters at the end are the fillers of Hangul and Khmer, which nobody sees: a cell of them alone is an empty one.
 */
const NEEDS_JSON = `jsonb_typeof(f.value) <> 'string' OR ${VALUE} !~ '^[!-~[:alnum:]](.*[!-~[:alnum:]])?$'
  OR ascii(${VALUE}) IN (4447, 4448, 6068, 6069, 12644, 65440)`;

@QueryHandler(ExportContacts)
export class ExportContactsHandler implements IQueryHandler<ExportContacts> {
  constructor(
    private readonly database: Database,
    private readonly search: ContactSearch,
  ) {}

  async execute({ what }: ExportContacts): Promise<CsvExport> {
    const filter = await this.filterOf(what);
    const [today] = await this.database.query<{ day: string }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
    );
    const keys = filter ? await this.customKeys(what, filter) : [];
    return { day: today?.day ?? '', text: this.text(what, filter, keys) };
  }

  private async *text(what: WhatToExport, filter: Filter | null, keys: CustomKey[]): AsyncGenerator<string> {
    const columns = exportColumns(keys, escapeLiteral);
    const style = { delimiter: ',', raw: what.raw };
    yield BYTE_ORDER_MARK + csvText([columns.map(({ header }) => header)], style);
    if (filter === null) return;
    for (const organizationId of what.organizationIds) {
      let next: Promise<Page> | null = this.page(columns, style, organizationId, filter, null);
      while (next) {
        const { text, last }: Page = await next;
        // The database looks for the next ones while these are sent.
        next = last === null ? null : this.page(columns, style, organizationId, filter, last);
        next?.catch(() => undefined);
        if (text !== '') yield text;
      }
    }
  }

  private async page(
    columns: readonly ExportColumn[],
    style: CsvStyle,
    organizationId: string,
    { condition, values }: Filter,
    after: string | null,
  ): Promise<Page> {
    const at = values.length + 2;
    const which = `c.organization_id = $1::uuid AND ${condition} AND ($${at}::uuid IS NULL OR c.id > $${at}::uuid)`;
    const where = withValues(which, [organizationId, ...(values as string[]), after]);
    const found = columns.map(({ sql }) => sql).join(', ');
    const texts: string[] = [];
    let last: string | null = null;
    const query = `SELECT ${found} FROM contacts.contact AS c WHERE ${where} AND c.id <= (${endOfPage(where)}) ORDER BY c.id`;
    await copyRows(this.database, query, (rows) => {
      last = rows.at(-1)?.at(-1) ?? last;
      texts.push(csvText(written(rows, columns), style));
    });
    return { text: texts.join(''), last };
  }

  /** Whatever the list would find; null when that is nothing. */
  private async filterOf({ text, deleted, organizationIds }: WhatToExport): Promise<Filter | null> {
    const condition = `c.deleted_at IS ${deleted ? 'NOT ' : ''}NULL`;
    if (text === undefined) return { condition, values: [] };
    for await (const match of this.search.waysToFind(text)) {
      const filter = { condition: `${condition} AND ${searched(match)}`, values: match.values };
      const [found] = await this.database.query<{ is_there: boolean }>(
        `SELECT EXISTS (SELECT FROM contacts.contact AS c
           WHERE c.organization_id = ANY($1::uuid[]) AND ${filter.condition}) AS is_there`,
        [organizationIds, ...filter.values],
      );
      if (found?.is_there) return filter;
    }
    return null;
  }

  private customKeys({ organizationIds }: WhatToExport, { condition, values }: Filter): Promise<CustomKey[]> {
    return this.database.query<CustomKey>(
      `SELECT f.key, bool_or(${NEEDS_JSON}) AS "needsJson"
       FROM contacts.contact AS c CROSS JOIN jsonb_each(c.custom_fields) AS f
       WHERE c.organization_id = ANY($1::uuid[]) AND c.custom_fields <> '{}' AND ${condition}
       GROUP BY f.key ORDER BY f.key`,
      [organizationIds, ...values],
    );
  }
}

/** The id of the last contact that fits into a page; the first one always does. */
const endOfPage = (where: string) => `
  SELECT id FROM (
    SELECT id, sum(CASE WHEN is_compressed THEN octet_length(custom_fields::text) ELSE pg_column_size(custom_fields) END)
      OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (
      SELECT id, custom_fields, is_compressed,
        count(*) FILTER (WHERE is_compressed) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS compressed
      FROM (
        SELECT c.id, c.custom_fields, pg_column_compression(c.custom_fields) IS NOT NULL AS is_compressed
        FROM contacts.contact AS c WHERE ${where} ORDER BY c.id LIMIT ${ROWS_AT_ONCE}) AS next) AS counted
    WHERE compressed <= ${COMPRESSED_AT_ONCE}) AS measured
  WHERE before IS NULL OR before < ${BYTES_AT_ONCE} ORDER BY id DESC LIMIT 1`;

/** The cells of rows in place, to make no second set of them. */
function written(rows: string[][], columns: readonly ExportColumn[]): string[][] {
  const made = columns.flatMap(({ cell }, at) => (cell ? [{ at, cell }] : []));
  for (const row of rows) for (const { at, cell } of made) row[at] = cell(row[at] ?? '');
  return rows;
}

/** The score names the parameters that the condition leaves out. */
const searched = ({ condition, score }: Match): string => `${condition} AND (${score}) IS NOT NULL`;
