import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { WhenSent } from '#libs/http';
import { PLAIN_FIELDS } from '../columns/import-fields.js';
import type { GivenMapping } from '../columns/map-columns.js';

export const DUPLICATES = ['update', 'fill', 'skip', 'create'] as const;
export const LISTS = ['add', 'replace'] as const;
export const KEYS = ['email', 'id', 'externalId'] as const;
export const ON_DELETED_MATCH = ['restore', 'create', 'skip'] as const;
export const ON_ERROR = ['continue', 'abort'] as const;

export class ImportOptionsDto {
  @ApiPropertyOptional({ description: 'Optional for callers with one organization.', format: 'uuid' })
  @WhenSent()
  @IsUUID()
  organizationId?: string;

  @ApiPropertyOptional({ description: 'Validate and report, but store nothing.', default: false })
  @IsBoolean()
  dryRun: boolean = false;

  @ApiPropertyOptional({
    description:
      'How to treat a row that matches a contact: `update` overwrites its fields, `fill` fills empty fields only, `skip` ignores the row, `create` creates another contact. Empty cells never overwrite.',
    enum: DUPLICATES,
    default: 'update',
  })
  @IsIn(DUPLICATES)
  duplicates: (typeof DUPLICATES)[number] = 'update';

  @ApiPropertyOptional({
    description:
      'What `update` does with phones, tags, websites and postal addresses: `add` keeps those of the contact, `replace` removes them when the row has others. The warnings of the report count the contacts. Email addresses are always added.',
    enum: LISTS,
    default: 'add',
  })
  @IsIn(LISTS)
  lists: (typeof LISTS)[number] = 'add';

  @ApiPropertyOptional({
    description:
      'The field by which a row matches a contact. `email`: any address of the contact; for role addresses such as `info@`, which several people share, the full name too. Rows without an address are matched by `externalId`, else by full name and phone, else by full name and company among contacts without an address; rows without a name by phone or company alone. Rows without any of these are new contacts. An `id` of an existing contact takes precedence over the key.',
    enum: KEYS,
    default: 'email',
  })
  @IsIn(KEYS)
  key: (typeof KEYS)[number] = 'email';

  @ApiPropertyOptional({
    description: 'How to treat a row that matches a soft-deleted contact.',
    enum: ON_DELETED_MATCH,
    default: 'restore',
  })
  @IsIn(ON_DELETED_MATCH)
  onDeletedMatch: (typeof ON_DELETED_MATCH)[number] = 'restore';

  @ApiPropertyOptional({
    description: '`abort`: when one row fails, nothing is imported and the answer is 400 with the report.',
    enum: ON_ERROR,
    default: 'continue',
  })
  @IsIn(ON_ERROR)
  onError: (typeof ON_ERROR)[number] = 'continue';

  @ApiPropertyOptional({
    description:
      'For files that are not UTF-8 and have no byte order mark: a label of the Encoding Standard or a code page such as `cp852`. Default: the encoding with the most plausible words.',
    example: 'shift_jis',
  })
  @WhenSent()
  @IsString()
  @MaxLength(40)
  encoding?: string;

  @ApiPropertyOptional({
    description: 'One character. Default: detected.',
    minLength: 1,
    maxLength: 1,
    example: ';',
  })
  @WhenSent()
  @Length(1, 1)
  @Matches(/^[^"\r\n\p{L}\p{N}\u{10000}-\u{10ffff}]$/u, {
    message: 'must be one character that is not a quote, a letter or a digit',
  })
  delimiter?: string;

  @ApiPropertyOptional({ description: 'Default: detected.' })
  @WhenSent()
  @IsBoolean()
  hasHeader?: boolean;

  @ApiPropertyOptional({
    description: 'Physical line of the header, from 1. Default: detected within the first ten rows.',
    type: 'integer',
    minimum: 1,
    maximum: 100,
  })
  @WhenSent()
  @IsInt()
  @Min(1)
  @Max(100)
  headerLine?: number;

  @ApiPropertyOptional({
    description:
      'Cells stay as they are: an apostrophe before a formula sign, as the export writes it, is not taken off.',
    default: false,
  })
  @IsBoolean()
  raw: boolean = false;
}

/** How an import treats the rows of a file. */
export type ImportRules = Readonly<
  Pick<ImportOptionsDto, 'dryRun' | 'duplicates' | 'lists' | 'key' | 'onDeletedMatch' | 'onError' | 'raw'>
> & { readonly organizationId: string };

const MAPPED_FIELDS = PLAIN_FIELDS.filter((field) => field !== 'customFields')
  .flatMap((field) => (field === 'addresses' ? [field, 'addresses.<number>.<part>'] : [field]))
  .join(', ');

export class ImportContactsDto {
  @ApiProperty({
    description: 'The CSV file. Encoding, delimiter and header line are detected and reported.',
    type: 'string',
    format: 'binary',
  })
  @Allow()
  file!: unknown;

  @ApiPropertyOptional({
    description: `JSON: column header, or \`#\` and its number, to field: ${MAPPED_FIELDS}, customFields.<key>, customFieldsJson.<key>; null ignores a column, such as \`{"Customer name": "name", "#2": "email"}\`. A mapping is complete; without one, columns are recognized by their headers.`,
    type: 'object',
    additionalProperties: { type: ['string', 'null'] } as object,
  })
  @WhenSent()
  @IsObject()
  mapping?: GivenMapping;

  @ApiPropertyOptional({ description: 'JSON.', type: () => ImportOptionsDto, example: {} })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => ImportOptionsDto)
  options?: ImportOptionsDto;
}
