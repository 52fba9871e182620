import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { provideConfig } from '#libs/config';
import { ContactsAccessModule } from '../queries/contacts-access.module.js';
import { CsvConfig } from './csv.config.js';
import { CsvController } from './http/csv.controller.js';
import { ExportContactsHandler } from './export/export-contacts.js';
import { RecordExportHandler } from './export/record-export.js';
import { GetFailedRowsHandler, GetImportHandler } from './import/failed-rows.js';
import { ImportContactsHandler } from './import/import-contacts.js';
import { ImportLock } from './import/import-lock.js';

/** `/api/contacts/import`, `/api/contacts/imports/{importId}` and `/api/contacts/export`. */
@Module({
  imports: [CqrsModule, ContactsAccessModule],
  controllers: [CsvController],
  providers: [
    provideConfig(CsvConfig),
    ImportLock,
    ImportContactsHandler,
    GetImportHandler,
    GetFailedRowsHandler,
    ExportContactsHandler,
    RecordExportHandler,
  ],
})
export class CsvModule {}
