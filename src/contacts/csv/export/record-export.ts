import { randomUUIDv7 } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext } from '#libs/auth';
import { Database } from '#libs/database';
import { EventStore } from '#libs/event-store';
import type { ContactsExported } from './export.events.js';
import type { ExportRequest } from './export-contacts.js';

export interface RecordExportRequest {
  readonly exported: ExportRequest;
  readonly caller: Caller;
}

/** Appends an event before contacts are exported, so that the audit of each organization has it. */
export class RecordExport extends Command<void> {
  constructor(readonly request: RecordExportRequest) {
    super();
  }
}

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
