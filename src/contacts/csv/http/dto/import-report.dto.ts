import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { ImportReport, ImportTotals } from '../../import/import-report.js';
import { MAX_MESSAGES } from '../../import/import-report.js';
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

/** The outcome of every row of a file. */
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
    description: 'What may be wrong with the file as a whole, and the second-best guess.',
    type: () => [ImportWarningDto],
  })
  warnings!: ImportWarningDto[];

  @ApiProperty({
    description:
      'Of a dry run, three rows as they were read, to see whether encoding and delimiter are right.',
    type: () => [SampleRowDto],
  })
  sampleRows!: SampleRowDto[];

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
      warnings: (report.warnings ?? []).map((warning) => ({ ...warning, lines: [...warning.lines] })),
      sampleRows: (report.sampleRows ?? []).map(({ line, cells }) => ({ line, cells: [...cells] })),
      errors: [...report.errors],
      errorsTruncated,
      failedRows,
      seenBefore,
      durationMs,
    };
  }
}
