import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { escapeLiteral } from 'pg';
import { type Caller, eventContext } from '#libs/auth';
import { Database, longRunning } from '#libs/database';
import { type DomainEvent, EventStore } from '#libs/event-store';
import { RequestCommand, RequestQuery } from '#libs/messages';
import { BYTE_ORDER_MARK, csvText } from '#libs/text';
import { ContactSearch } from '../../queries/contacts.search.js';
import { GUARD } from '../domain/cells/raw-cell.js';
import { type CustomKey, type ExportColumn, exportColumns, TEXTS } from './contact-columns.js';
import { pagesOf } from './export-pages.js';
import { anyMatch, customKeys, type Filter, filterOf, presentDetails, TODAY } from './export.statements.js';

/** One event per organization whose contacts are exported, stored before the first byte is sent. */
export type ContactsExported = DomainEvent<
  'ContactsExported',
  {
    readonly exportId: string;
    /** Soft-deleted contacts instead of all others. */
    readonly deleted: boolean;
    /** Whether a search selected the contacts. The text is not stored: it is personal data. */
    readonly searched: boolean;
    /** Without the guard against formulas. */
    readonly raw: boolean;
  }
>;

export interface ExportRequest {
  readonly organizationIds: readonly string[];
  /** Soft-deleted contacts instead of all others. */
  readonly deleted: boolean;
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
export class ExportContacts extends RequestQuery<ExportRequest, CsvExport> {}

@QueryHandler(ExportContacts)
export class ExportContactsHandler implements IQueryHandler<ExportContacts> {
  constructor(
    private readonly database: Database,
    private readonly search: ContactSearch,
  ) {}

  async execute({ request }: ExportContacts): Promise<CsvExport> {
    const filter = await this.filter(request);
    const [today] = await this.database.query<{ day: string }>(TODAY);
    return { day: today?.day ?? '', text: this.text(request, filter) };
  }

  private async *text(what: ExportRequest, filter: Filter | null): AsyncGenerator<string> {
    const style = { delimiter: ',', guard: what.raw ? null : GUARD };
    const headers = (columns: readonly ExportColumn[]) => columns.map(({ header }) => header);
    // Whether there are more columns is only known when all contacts with custom fields were read.
    yield BYTE_ORDER_MARK + csvText([[...headers(TEXTS), '']], style).trimEnd();
    const keys = filter ? await this.query<CustomKey>(customKeys(filter), what, filter) : [];
    const details = filter ? await this.details(what, filter) : [];
    const columns = exportColumns(keys, details, escapeLiteral);
    yield csvText([headers(columns.slice(TEXTS.length))], style);
    if (filter === null) return;
    for (const organizationId of what.organizationIds) {
      yield* pagesOf(this.database, organizationId, { columns, style, filter });
    }
  }

  private async details(what: ExportRequest, filter: Filter): Promise<string[]> {
    const [there] = await this.query<Record<string, boolean | null>>(presentDetails(filter), what, filter);
    return Object.entries(there ?? {}).flatMap(([header, isThere]) => (isThere ? [header] : []));
  }

  private async filter(what: ExportRequest): Promise<Filter | null> {
    if (what.text === undefined) return filterOf(what.deleted);
    for await (const strategy of this.search.strategiesFor(what.text, what.organizationIds)) {
      const filter = filterOf(what.deleted, strategy);
      const [found] = await this.query<{ is_there: boolean }>(anyMatch(filter), what, filter);
      if (found?.is_there) return filter;
    }
    return null;
  }

  private query<Row extends object>(
    sql: string,
    { organizationIds }: ExportRequest,
    { values }: Filter,
  ): Promise<Row[]> {
    return longRunning(() => this.database.query<Row>(sql, [organizationIds, ...values]));
  }
}

/** Appends an event before contacts are exported, so that the audit of each organization has it. */
export class RecordExport extends RequestCommand<{ exported: ExportRequest; caller: Caller }, void> {}

@CommandHandler(RecordExport)
export class RecordExportHandler implements ICommandHandler<RecordExport> {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
  ) {}

  async execute({ request: { exported, caller } }: RecordExport): Promise<void> {
    const { organizationIds, deleted, raw, text } = exported;
    const requests = organizationIds.map((organizationId) => {
      const exportId = randomUUIDv7();
      const data = { exportId, deleted, searched: text !== undefined, raw };
      const event: ContactsExported = { type: 'ContactsExported', data };
      const metadata = eventContext(caller, { organizationId, brandId: null });
      return {
        stream: exportId,
        streamType: 'contact_export',
        expected: 'none' as const,
        events: [event],
        metadata,
      };
    });
    await this.database.transaction(async (transaction) => {
      await this.store.appendMany(transaction, requests);
    });
  }
}
