import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DUPLICATES, KEYS, LISTS, ON_DELETED_MATCH, ON_ERROR } from '../../domain/import-options.js';
import type { ImportReport, ImportWarning, RowMessage, SampleRow } from '../../import/import-report.js';

export const count = (description: string, example: number) =>
  ({ description, example, type: 'integer' }) as const;

@ApiSchema({ name: 'ImportRowMessage' })
export class RowMessageDto implements RowMessage {
  @ApiProperty(count('Physical line on which the row begins, from 1; rows span lines.', 4))
  line!: number;

  @ApiProperty(count('Number of the row below the header, from 1.', 3))
  row!: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Null: the whole row.',
    example: 'E-mail',
  })
  column!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'email' })
  field!: string | null;

  @ApiProperty({
    enum: ['error', 'notice'],
    description: '`error`: the row was not imported.',
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

@ApiSchema({ name: 'ImportWarning' })
export class ImportWarningDto implements ImportWarning {
  @ApiProperty({
    enum: [
      'encoding_uncertain',
      'delimiter_uncertain',
      'text_after_table',
      'address_with_several_names',
      'address_of_two_contacts',
      'values_added',
      'values_replaced',
    ],
    example: 'encoding_uncertain',
  })
  code!: ImportWarning['code'];

  @ApiProperty({ example: 'The file was read as windows-1252, which is uncertain.' })
  message!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The encoding or delimiter that is nearly as plausible.',
    example: 'windows-1250',
  })
  secondBest!: string | null;

  @ApiProperty({
    description: 'Physical lines of the first rows concerned.',
    type: 'array',
    items: { type: 'integer' },
    example: [],
  })
  lines!: number[];
}

@ApiSchema({ name: 'ImportSampleCell' })
export class SampleCellDto {
  @ApiProperty({ example: 'E-mail' })
  column!: string;

  @ApiProperty({ description: 'At most 100 characters.', example: 'jana@example.com' })
  value!: string;
}

@ApiSchema({ name: 'ImportSampleRow' })
export class SampleRowDto implements SampleRow {
  @ApiProperty(count('Physical line on which the row begins, from 1.', 2))
  line!: number;

  @ApiProperty({ type: () => [SampleCellDto] })
  cells!: SampleCellDto[];
}

@ApiSchema({ name: 'ImportedFile' })
export class ImportedFileDto {
  @ApiProperty({
    description:
      'As the client calls it. Null once a contact of the organization was erased: it may name one.',
    type: 'string',
    nullable: true,
    example: 'contacts.csv',
  })
  name!: string | null;

  @ApiProperty(count('Size.', 512))
  bytes!: number;

  @ApiProperty({
    description: 'SHA-256 of the uploaded bytes, in hexadecimal.',
    pattern: '^[0-9a-f]{64}$',
    example: 'a'.repeat(64),
  })
  sha256!: string;

  @ApiProperty({
    description: 'A label of the Encoding Standard, or a code page that it lacks, such as `cp852`.',
    example: 'utf-8',
  })
  encoding!: string;

  @ApiProperty({
    description:
      'How it was determined: a byte order mark; all bytes are UTF-8; nearly all are (rows with others fail); zero bytes of UTF-16; the hint; or the most plausible words.',
    enum: ['bom', 'content', 'mostly', 'pattern', 'hint', 'statistics'],
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
    description: 'Lines above the header that were skipped as a preamble.',
    example: 0,
  })
  skippedLines!: number;
}

@ApiSchema({ name: 'MappedColumn' })
export class MappedColumnDto {
  @ApiProperty({
    description: 'The header; `#3` without one, `Phone (2)` for a duplicate.',
    example: 'E-mail',
  })
  column!: string;

  @ApiProperty({ type: 'string', example: 'email' })
  field!: ImportReport['mapping'][number]['field'];

  @ApiProperty({
    enum: ['given', 'header'],
    description: 'From the mapping in the request, or recognized by the header.',
    example: 'header',
  })
  how!: 'given' | 'header';
}

@ApiSchema({ name: 'AppliedImportOptions' })
export class AppliedOptionsDto {
  @ApiProperty({ enum: DUPLICATES, example: 'update' })
  duplicates!: (typeof DUPLICATES)[number];

  @ApiProperty({ enum: LISTS })
  lists!: (typeof LISTS)[number];

  @ApiProperty({ enum: KEYS, example: 'email' })
  key!: (typeof KEYS)[number];

  @ApiProperty({ enum: ON_DELETED_MATCH, example: 'restore' })
  onDeletedMatch!: (typeof ON_DELETED_MATCH)[number];

  @ApiProperty({ enum: ON_ERROR, example: 'continue' })
  onError!: (typeof ON_ERROR)[number];
}

@ApiSchema({ name: 'SeenBefore' })
export class SeenBeforeDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e66' })
  importId!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  at!: string;
}
