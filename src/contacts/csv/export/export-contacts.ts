import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { escapeLiteral } from 'pg';
import { Database, longRunning } from '#libs/database';
import { ContactSearch } from '../../queries/contacts.search.js';
import type { CustomKey } from './contact-columns.js';
import { exportColumns } from './contact-columns.js';
import { BYTE_ORDER_MARK, csvText } from '../domain/records/csv-text.js';
import { pagesOf } from './export-pages.js';
import type { Filter } from './export.statements.js';
import { anyThere, customKeys, detailsThere, filterOf, TODAY } from './export.statements.js';

export interface WhatToExport {
  readonly organizationIds: readonly string[];
  /** Soft-deleted contacts instead of all others. */
  readonly deleted: boolean;
  /** The text of a search. */
  readonly text?: string;
  /** Without the guard against formulas. */
  readonly raw: boolean;
}

export interface CsvExport {
  /** The day by the database's clock, UTC: `2026-11-21`. */
  readonly day: string;
  /**
   * Chunks of text. Each is read when the previous one is consumed, so that memory is independent of the number of
   * contacts.
   */
  readonly text: AsyncIterable<string>;
}

/** Oldest first. A contact that changes meanwhile is written as it is when its page is read. */
export class ExportContacts extends Query<CsvExport> {
  constructor(readonly what: WhatToExport) {
    super();
  }
}

@QueryHandler(ExportContacts)
export class ExportContactsHandler implements IQueryHandler<ExportContacts> {
  constructor(
    private readonly database: Database,
    private readonly search: ContactSearch,
  ) {}

  async execute({ what }: ExportContacts): Promise<CsvExport> {
    const filter = await this.filter(what);
    const [today] = await this.database.query<{ day: string }>(TODAY);
    const keys = filter ? await this.ask<CustomKey>(customKeys(filter), what, filter) : [];
    const details = filter ? await this.details(what, filter) : [];
    return { day: today?.day ?? '', text: this.text(what, filter, { keys, details }) };
  }

  private async *text(
    what: WhatToExport,
    filter: Filter | null,
    { keys, details }: { keys: readonly CustomKey[]; details: readonly string[] },
  ): AsyncGenerator<string> {
    const columns = exportColumns(keys, details, escapeLiteral);
    const style = { delimiter: ',', raw: what.raw };
    yield BYTE_ORDER_MARK + csvText([columns.map(({ header }) => header)], style);
    if (filter === null) return;
    for (const organizationId of what.organizationIds) {
      yield* pagesOf(this.database, organizationId, { columns, style, filter });
    }
  }

  private async details(what: WhatToExport, filter: Filter): Promise<string[]> {
    const [there] = await this.ask<Record<string, boolean | null>>(detailsThere(filter), what, filter);
    return Object.entries(there ?? {}).flatMap(([header, isThere]) => (isThere ? [header] : []));
  }

  /** The contacts that the list would find; null without any. */
  private async filter(what: WhatToExport): Promise<Filter | null> {
    if (what.text === undefined) return filterOf(what.deleted);
    for await (const strategy of this.search.strategiesFor(what.text)) {
      const filter = filterOf(what.deleted, strategy);
      const [found] = await this.ask<{ is_there: boolean }>(anyThere(filter), what, filter);
      if (found?.is_there) return filter;
    }
    return null;
  }

  private ask<Row extends object>(
    sql: string,
    { organizationIds }: WhatToExport,
    { values }: Filter,
  ): Promise<Row[]> {
    return longRunning(() => this.database.query<Row>(sql, [organizationIds, ...values]));
  }
}
