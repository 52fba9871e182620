import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { escapeLiteral } from 'pg';
import { Database } from '#libs/database';
import type { Match } from '../../contacts.search.js';
import { ContactSearch } from '../../contacts.search.js';
import type { CustomKey, ExportColumn } from './contact-columns.js';
import { exportColumns } from './contact-columns.js';
import { copyRows, withValues } from './copy-rows.js';
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

/** A condition on rows `c`; $1 is the organization or, for the keys, all of them. */
interface Filter {
  readonly condition: string;
  readonly values: readonly unknown[];
}

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
      let next: Promise<string[][]> | null = this.page(columns, organizationId, filter, null);
      while (next) {
        const found: string[][] = await next;
        const id = found.at(-1)?.at(-1) ?? null;
        // The database looks for the next ones while these are written and sent.
        next = found.length < ROWS_AT_ONCE ? null : this.page(columns, organizationId, filter, id);
        next?.catch(() => undefined);
        yield csvText(written(found, columns), style);
      }
    }
  }

  private page(
    columns: readonly ExportColumn[],
    organizationId: string,
    { condition, values }: Filter,
    after: string | null,
  ): Promise<string[][]> {
    const at = values.length + 2;
    const which = `c.organization_id = $1::uuid AND ${condition} AND ($${at}::uuid IS NULL OR c.id > $${at}::uuid)`;
    const where = withValues(which, [organizationId, ...(values as string[]), after]);
    const found = columns.map(({ sql }) => sql).join(', ');
    return copyRows(
      this.database,
      `SELECT ${found} FROM contacts.contact AS c WHERE ${where} ORDER BY c.id LIMIT ${ROWS_AT_ONCE}`,
    );
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
      `SELECT f.key, bool_or(jsonb_typeof(f.value) <> 'string' OR f.value #>> '{}' ~ '^$|^\\s|\\s$') AS "needsJson"
       FROM contacts.contact AS c CROSS JOIN jsonb_each(c.custom_fields) AS f
       WHERE c.organization_id = ANY($1::uuid[]) AND c.custom_fields <> '{}' AND ${condition}
       GROUP BY f.key ORDER BY f.key`,
      [organizationIds, ...values],
    );
  }
}

/** The cells of rows in place, to make no second set of them. */
function written(rows: string[][], columns: readonly ExportColumn[]): string[][] {
  const made = columns.flatMap(({ cell }, at) => (cell ? [{ at, cell }] : []));
  for (const row of rows) for (const { at, cell } of made) row[at] = cell(row[at] ?? '');
  return rows;
}

/** The score names the parameters that the condition leaves out. */
const searched = ({ condition, score }: Match): string => `${condition} AND (${score}) IS NOT NULL`;
