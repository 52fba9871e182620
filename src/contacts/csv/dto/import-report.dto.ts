import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DUPLICATES, KEYS, ON_DELETED_MATCH, ON_ERROR } from '../import/import-options.js';
import type { ImportReport, ImportTotals, RowMessage } from '../import/import-report.js';
import { MAX_MESSAGES } from '../import/import-report.js';

const count = (description: string, example: number) => ({ description, example, type: 'integer' }) as const;

@ApiSchema({ name: 'ImportTotals' })
class ImportTotalsDto implements ImportTotals {
  @ApiProperty(count('Rows below the header: the sum of all others.', 5))
  rowsRead!: number;

  @ApiProperty(count('New contacts.', 2))
  created!: number;

  @ApiProperty(count('Rows that changed a contact, restored ones included.', 1))
  updated!: number;

  @ApiProperty(count('Rows that say what the contact says already.', 0))
  unchanged!: number;

  @ApiProperty(count('Rows left out because of `duplicates` or `onDeletedMatch`.', 0))
  skippedDuplicate!: number;

  @ApiProperty(count('Rows without anything in them.', 1))
  skippedEmpty!: number;

  @ApiProperty(count('Rows that did not come in.', 1))
  failed!: number;
}

@ApiSchema({ name: 'ImportRowMessage' })
class RowMessageDto implements RowMessage {
  @ApiProperty(count('Physical line on which the row begins, from 1; rows span lines.', 4))
  line!: number;

  @ApiProperty(count('Number of the row below the header, from 1.', 3))
  row!: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Null: the row as a whole.',
    example: 'E-mail',
  })
  column!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'email' })
  field!: string | null;

  @ApiProperty({
    enum: ['error', 'notice'],
    description: '`error`: the row did not come in.',
    example: 'error',
  })
  severity!: 'error' | 'notice';

  @ApiProperty({ type: 'string', description: 'Stable machine name.', example: 'invalid_email' })
  code!: RowMessage['code'];

  @ApiProperty({ example: 'is not an email address' })
  message!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The cell, at most 100 characters. Null for the row as a whole, and everywhere once a contact of the organization was erased.',
    example: 'nobody',
  })
  value!: string | null;
}

@ApiSchema({ name: 'ImportedFile' })
class ImportedFileDto {
  @ApiProperty({ description: 'As the client calls it.', example: 'contacts.csv' })
  name!: string;

  @ApiProperty(count('Size.', 512))
  bytes!: number;

  @ApiProperty({
    description: 'Of the bytes as they came, in hex.',
    pattern: '^[0-9a-f]{64}$',
    example: 'a'.repeat(64),
  })
  sha256!: string;

  @ApiProperty({ description: 'A label of the Encoding Standard.', example: 'utf-8' })
  encoding!: string;

  @ApiProperty({
    description:
      'Why that one: a byte order mark; all bytes are UTF-8; all but a few are (rows with others fail); zero bytes of UTF-16; the hint; or nothing better was left.',
    enum: ['bom', 'content', 'mostly', 'pattern', 'hint', 'fallback'],
    example: 'content',
  })
  encodingSource!: ImportReport['file']['encodingSource'];

  @ApiProperty({ example: ',' })
  delimiter!: string;

  @ApiProperty({ example: true })
  hasHeader!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Physical line, from 1.', example: 1 })
  headerLine!: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Lines above the header that were taken for a preamble and hold no rows.',
    example: 0,
  })
  skippedLines!: number;
}

@ApiSchema({ name: 'MappedColumn' })
class MappedColumnDto {
  @ApiProperty({
    description: 'Its header; `#3` without one, `Phone (2)` for a second one.',
    example: 'E-mail',
  })
  column!: string;

  @ApiProperty({ type: 'string', example: 'email' })
  field!: ImportReport['mapping'][number]['field'];

  @ApiProperty({
    enum: ['given', 'header'],
    description: 'By the mapping sent, or by its header.',
    example: 'header',
  })
  how!: 'given' | 'header';
}

@ApiSchema({ name: 'AppliedImportOptions' })
class AppliedOptionsDto {
  @ApiProperty({ enum: DUPLICATES, example: 'update' })
  duplicates!: (typeof DUPLICATES)[number];

  @ApiProperty({ enum: KEYS, example: 'email' })
  key!: (typeof KEYS)[number];

  @ApiProperty({ enum: ON_DELETED_MATCH, example: 'restore' })
  onDeletedMatch!: (typeof ON_DELETED_MATCH)[number];

  @ApiProperty({ enum: ON_ERROR, example: 'continue' })
  onError!: (typeof ON_ERROR)[number];
}

@ApiSchema({ name: 'SeenBefore' })
class SeenBeforeDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e66' })
  importId!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  at!: string;
}

/** What became of every row of a file. */
@ApiSchema({ name: 'ImportReport' })
export class ImportReportDto implements ImportReport {
  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'Null: a dry run, which leaves nothing behind.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77',
  })
  importId!: string | null;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' })
  organizationId!: string;

  @ApiProperty({ example: false })
  dryRun!: boolean;

  @ApiProperty({ type: () => ImportedFileDto })
  file!: ImportedFileDto;

  @ApiProperty({ type: () => AppliedOptionsDto })
  options!: AppliedOptionsDto;

  @ApiProperty({ type: () => [MappedColumnDto] })
  mapping!: MappedColumnDto[];

  @ApiProperty({ description: 'Columns that nothing was taken from.', type: [String], example: ['Birthday'] })
  unmappedColumns!: string[];

  @ApiProperty({ type: () => ImportTotalsDto })
  totals!: ImportTotalsDto;

  @ApiProperty({
    description: `Errors and notices about rows, in the order of the file; the first ${MAX_MESSAGES}.`,
    type: () => [RowMessageDto],
  })
  errors!: RowMessageDto[];

  @ApiProperty({ description: 'There are more than are shown.', example: false })
  errorsTruncated!: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Path of the rows that did not come in, as CSV, kept for 14 days; null when all did.',
    example: '/api/contacts/imports/01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77/failed-rows',
  })
  failedRows!: string | null;

  @ApiProperty({
    type: () => SeenBeforeDto,
    nullable: true,
    description: 'The last import of the very same bytes. Saying so is all: the file is imported again.',
  })
  seenBefore!: SeenBeforeDto | null;

  @ApiProperty(count('Milliseconds.', 42))
  durationMs!: number;

  static of(report: ImportReport): ImportReportDto {
    const { importId, organizationId, dryRun, file, options, totals, seenBefore } = report;
    const { errorsTruncated, failedRows, durationMs } = report;
    return {
      importId,
      organizationId,
      dryRun,
      file,
      options,
      mapping: [...report.mapping],
      unmappedColumns: [...report.unmappedColumns],
      totals,
      errors: [...report.errors],
      errorsTruncated,
      failedRows,
      seenBefore,
      durationMs,
    };
  }
}
