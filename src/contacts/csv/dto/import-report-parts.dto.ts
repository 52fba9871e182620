import { ApiSchema } from '@nestjs/swagger';
import { is, shape } from '#libs/http';
import type { MappedColumn } from '../columns/map-columns.js';
import type { RowCode } from '../domain/cells/row-problem.js';
import type { EncodingSource } from '../reading/encoding.js';
import {
  DUPLICATES,
  type ImportRules,
  KEYS,
  LISTS,
  ON_DELETED_MATCH,
  ON_ERROR,
} from './import-contacts.dto.js';

export const count = (description: string, example: number) => is.integer({ description, example });

@ApiSchema({ name: 'ImportRowMessage' })
export class RowMessageDto extends shape({
  line: count('Physical line on which the row begins, from 1; rows span lines.', 4),
  row: count('Number of the row below the header, from 1.', 3),
  column: is.text({ description: 'Null: the whole row.', example: 'E-mail' }).orNull,
  field: is.text({ example: 'email' }).orNull,
  severity: is.text<'error' | 'notice'>({
    enum: ['error', 'notice'],
    description: '`error`: the row was not imported.',
    example: 'error',
  }),
  code: is.text<RowCode>({ description: 'Stable machine name.', example: 'invalid_email' }),
  message: is.text({ example: 'is not an email address' }),
  value: is.text({
    description:
      'The cell, at most 100 characters. Null for the row as a whole, and everywhere once a contact of the organization was erased.',
    example: 'nobody',
  }).orNull,
}) {}

const WARNINGS = [
  'encoding_uncertain',
  'delimiter_uncertain',
  'text_after_table',
  'address_with_several_names',
  'address_of_two_contacts',
  'values_added',
  'values_replaced',
] as const;

@ApiSchema({ name: 'ImportWarning' })
export class ImportWarningDto extends shape({
  code: is.text<(typeof WARNINGS)[number]>({ enum: WARNINGS, example: 'encoding_uncertain' }),
  message: is.text({ example: 'The file was read as windows-1252, which is uncertain.' }),
  secondBest: is.text({
    description: 'The encoding or delimiter that is nearly as plausible.',
    example: 'windows-1250',
  }).orNull,
  lines: is.of<number[]>({
    description: 'Physical lines of the first rows concerned.',
    type: 'array',
    items: { type: 'integer' },
    example: [],
  }),
}) {}

@ApiSchema({ name: 'ImportSampleCell' })
export class SampleCellDto extends shape({
  column: is.text({ example: 'E-mail' }),
  value: is.text({ description: 'At most 100 characters.', example: 'jana@example.com' }),
}) {}

@ApiSchema({ name: 'ImportSampleRow' })
export class SampleRowDto extends shape({
  line: count('Physical line on which the row begins, from 1.', 2),
  cells: is.list(() => SampleCellDto),
}) {}

@ApiSchema({ name: 'ImportedFile' })
export class ImportedFileDto extends shape({
  name: is.text({
    description:
      'As the client calls it. Null once a contact of the organization was erased: it may name one.',
    example: 'contacts.csv',
  }).orNull,
  bytes: count('Size.', 512),
  sha256: is.text({
    description: 'SHA-256 of the uploaded bytes, in hexadecimal.',
    pattern: '^[0-9a-f]{64}$',
    example: 'a'.repeat(64),
  }),
  encoding: is.text({
    description: 'A label of the Encoding Standard, or a code page that it lacks, such as `cp852`.',
    example: 'utf-8',
  }),
  encodingSource: is.text<EncodingSource>({
    description:
      'How it was determined: a byte order mark; all bytes are UTF-8; nearly all are (rows with others fail); zero bytes of UTF-16; the hint; or the most plausible words.',
    enum: ['bom', 'content', 'mostly', 'pattern', 'hint', 'statistics'],
    example: 'content',
  }),
  delimiter: is.text({ example: ',' }),
  hasHeader: is.flag({ example: true }),
  headerLine: is.integer({ description: 'Physical line, from 1.', example: 1 }).orNull,
  skippedLines: is.integer({
    description: 'Lines above the header that were skipped as a preamble.',
    example: 0,
  }),
}) {}

@ApiSchema({ name: 'MappedColumn' })
export class MappedColumnDto extends shape({
  column: is.text({
    description: 'The header; `#3` without one, `Phone (2)` for a duplicate.',
    example: 'E-mail',
  }),
  field: is.text<MappedColumn['field']>({ example: 'email' }),
  how: is.text<'given' | 'header'>({
    enum: ['given', 'header'],
    description: 'From the mapping in the request, or recognized by the header.',
    example: 'header',
  }),
}) {}

@ApiSchema({ name: 'AppliedImportOptions' })
export class AppliedOptionsDto extends shape({
  duplicates: is.text<ImportRules['duplicates']>({ enum: DUPLICATES, example: 'update' }),
  lists: is.text<ImportRules['lists']>({ enum: LISTS }),
  key: is.text<ImportRules['key']>({ enum: KEYS, example: 'email' }),
  onDeletedMatch: is.text<ImportRules['onDeletedMatch']>({ enum: ON_DELETED_MATCH, example: 'restore' }),
  onError: is.text<ImportRules['onError']>({ enum: ON_ERROR, example: 'continue' }),
}) {}

@ApiSchema({ name: 'SeenBefore' })
export class SeenBeforeDto extends shape({
  importId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e66' }),
  at: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
}) {}
