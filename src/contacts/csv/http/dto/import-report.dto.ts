import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type ImportReport, type ImportTotals, MAX_MESSAGES } from '../../import/import-report.js';
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

  @ApiProperty(count('Rows without a difference to their contact.', 0))
  unchanged!: number;

  @ApiProperty(count('Rows skipped because of `duplicates` or `onDeletedMatch`.', 0))
  skippedDuplicate!: number;

  @ApiProperty(count('Empty rows.', 1))
  skippedEmpty!: number;

  @ApiProperty(count('Rows that were not imported.', 1))
  failed!: number;
}

/** The outcome of every row of a file. */
@ApiSchema({ name: 'ImportReport' })
export class ImportReportDto implements ImportReport {
  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'Null for a dry run, which stores nothing.',
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

  @ApiProperty({ description: 'Columns that were ignored.', type: [String], example: ['Birthday'] })
  unmappedColumns!: string[];

  @ApiProperty({ type: () => ImportTotalsDto })
  totals!: ImportTotalsDto;

  @ApiProperty({
    description: 'Possible problems of the whole file, with the second-best guess.',
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

  @ApiProperty({ description: 'There are more messages than returned.', example: false })
  errorsTruncated!: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Path of the failed rows as CSV, kept for 14 days; null without any.',
    example: '/api/contacts/imports/01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77/failed-rows',
  })
  failedRows!: string | null;

  @ApiProperty({
    type: () => SeenBeforeDto,
    nullable: true,
    description: 'The last import of the same bytes, for information: the file is imported again.',
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
      warnings: report.warnings.map((warning) => ({ ...warning, lines: [...warning.lines] })),
      sampleRows: report.sampleRows.map(({ line, cells }) => ({ line, cells: [...cells] })),
      errors: [...report.errors],
      errorsTruncated,
      failedRows,
      seenBefore,
      durationMs,
    };
  }
}
