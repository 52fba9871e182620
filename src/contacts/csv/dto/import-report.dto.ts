import { ApiSchema } from '@nestjs/swagger';
import { is, shape } from '#libs/http';
import {
  count,
  RowMessageDto,
  ImportWarningDto,
  SampleRowDto,
  ImportedFileDto,
  MappedColumnDto,
  AppliedOptionsDto,
  SeenBeforeDto,
} from './import-report-parts.dto.js';

/** Maximum messages in a report; the rows can be downloaded without a limit. */
export const MAX_MESSAGES = 1_000;

@ApiSchema({ name: 'ImportTotals' })
export class ImportTotalsDto extends shape({
  rowsRead: count('Rows below the header: the sum of all others.', 5),
  created: count('New contacts.', 2),
  updated: count('Rows that changed a contact, restored ones included.', 1),
  unchanged: count('Rows without a difference to their contact.', 0),
  skippedDuplicate: count('Rows skipped because of `duplicates` or `onDeletedMatch`.', 0),
  skippedEmpty: count('Empty rows.', 1),
  failed: count('Rows that were not imported.', 1),
}) {}

@ApiSchema({ name: 'ImportReport' })
export class ImportReportDto extends shape({
  importId: is.uuid({
    description: 'Null for a dry run, which stores nothing.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77',
  }).orNull,
  organizationId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' }),
  dryRun: is.flag({ example: false }),
  file: is.object(() => ImportedFileDto),
  options: is.object(() => AppliedOptionsDto),
  mapping: is.list(() => MappedColumnDto),
  unmappedColumns: is.texts({ description: 'Columns that were ignored.', example: ['Birthday'] }),
  totals: is.object(() => ImportTotalsDto),
  warnings: is.list(() => ImportWarningDto, {
    description: 'Possible problems of the whole file, with the second-best guess.',
  }),
  sampleRows: is.list(() => SampleRowDto, {
    description:
      'Of a dry run, three rows as they were read, to see whether encoding and delimiter are right.',
  }),
  errors: is.list(() => RowMessageDto, {
    description: `Errors and notices about rows, in the order of the file; the first ${MAX_MESSAGES}.`,
  }),
  errorsTruncated: is.flag({ description: 'There are more messages than returned.', example: false }),
  failedRows: is.text({
    description: 'Path of the failed rows as CSV, kept for 14 days; null without any.',
    example: '/api/contacts/imports/01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77/failed-rows',
  }).orNull,
  seenBefore: is.object(() => SeenBeforeDto, {
    description: 'The last import of the same bytes, for information: the file is imported again.',
  }).orNull,
  durationMs: count('Milliseconds.', 42),
}) {}
