import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '#libs/database';
import type { Match } from '../../contacts.search.js';
import { ContactSearch } from '../../contacts.search.js';
import type { CustomKey, ExportedContact } from './contact-columns.js';
import { exportColumns } from './contact-columns.js';
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

const ROWS_AT_ONCE = 2_000;
const COLUMNS =
  'c.id, c.name, c.email, c.company, c.job_title, c.phones, c.tags, c.custom_fields, c.external_id';

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
    const style = { delimiter: ',', raw: what.raw };
    const columns = exportColumns(keys);
    yield BYTE_ORDER_MARK + (await csvText([columns.map(({ header }) => header)], style));
    if (filter === null) return;
    for (const organizationId of what.organizationIds) {
      let next = this.page(organizationId, filter, null);
      for (;;) {
        const contacts = await next;
        const last = contacts.at(-1);
        // The database looks for the next ones while these are written.
        if (last && contacts.length === ROWS_AT_ONCE) next = this.page(organizationId, filter, last.id);
        next.catch(() => undefined);
        if (last)
          yield await csvText(
            contacts.map((contact) => columns.map(({ cell }) => cell(contact))),
            style,
          );
        if (contacts.length < ROWS_AT_ONCE) break;
      }
    }
  }

  private page(
    organizationId: string,
    { condition, values }: Filter,
    after: string | null,
  ): Promise<ExportedContact[]> {
    const [atAfter, atLimit] = [values.length + 2, values.length + 3];
    return this.database.query<ExportedContact>(
      `SELECT ${COLUMNS} FROM contacts.contact AS c
       WHERE c.organization_id = $1 AND ${condition}
         AND c.id > coalesce($${atAfter}::uuid, '00000000-0000-0000-0000-000000000000')
       ORDER BY c.id LIMIT $${atLimit}`,
      [organizationId, ...values, after, ROWS_AT_ONCE],
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

/** The score names the parameters that the condition leaves out. */
const searched = ({ condition, score }: Match): string => `${condition} AND (${score}) IS NOT NULL`;
