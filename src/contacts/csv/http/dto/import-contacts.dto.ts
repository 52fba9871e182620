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
import type { GivenMapping } from '../../columns/map-columns.js';
import type { ImportRules } from '../../domain/import-options.js';
import { DUPLICATES, KEYS, ON_DELETED_MATCH, ON_ERROR } from '../../domain/import-options.js';

export class ImportOptionsDto {
  @ApiPropertyOptional({ description: 'May be left out by callers with one organization.', format: 'uuid' })
  @WhenSent()
  @IsUUID()
  organizationId?: string;

  @ApiPropertyOptional({ description: 'Do everything, report, and leave nothing behind.', default: false })
  @IsBoolean()
  dryRun: boolean = false;

  @ApiPropertyOptional({
    description:
      'What to do with a row about a contact that is there: `update` overwrites what the row says, `fill` fills gaps only, `skip` leaves it, `create` makes another one. Empty cells never overwrite.',
    enum: DUPLICATES,
    default: 'update',
  })
  @IsIn(DUPLICATES)
  duplicates: ImportRules['duplicates'] = 'update';

  @ApiPropertyOptional({
    description:
      'What a row and a contact have in common. `email`: any address of the contact; for role addresses such as `info@`, which several people share, the full name too. Rows without an address are matched by `externalId`, else by full name and phone. Rows without any of these are new contacts. A column `id` wins over the key where it names a contact.',
    enum: KEYS,
    default: 'email',
  })
  @IsIn(KEYS)
  key: ImportRules['key'] = 'email';

  @ApiPropertyOptional({
    description: 'What to do with a row about a contact that is soft-deleted.',
    enum: ON_DELETED_MATCH,
    default: 'restore',
  })
  @IsIn(ON_DELETED_MATCH)
  onDeletedMatch: ImportRules['onDeletedMatch'] = 'restore';

  @ApiPropertyOptional({
    description: '`abort`: when one row fails nothing comes in, and the answer is 400 with the report.',
    enum: ON_ERROR,
    default: 'continue',
  })
  @IsIn(ON_ERROR)
  onError: ImportRules['onError'] = 'continue';

  @ApiPropertyOptional({
    description:
      'For files that are neither UTF-8 nor marked: a label of the Encoding Standard or a code page such as `cp852`. Otherwise found out by what makes the most plausible words.',
    example: 'shift_jis',
  })
  @WhenSent()
  @IsString()
  @MaxLength(40)
  encoding?: string;

  @ApiPropertyOptional({
    description: 'One character; otherwise found out.',
    minLength: 1,
    maxLength: 1,
    example: ';',
  })
  @WhenSent()
  @Length(1, 1)
  @Matches(/^[^"\r\n\p{L}\p{N}\u{10000}-\u{10ffff}]$/u, {
    message: 'must be a sign, no quote and no letter or digit',
  })
  delimiter?: string;

  @ApiPropertyOptional({ description: 'Otherwise found out.' })
  @WhenSent()
  @IsBoolean()
  hasHeader?: boolean;

  @ApiPropertyOptional({
    description: 'Physical line of the header, from 1; otherwise found within the first ten rows.',
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

export class ImportContactsDto {
  @ApiProperty({
    description: 'The CSV file. Encoding, delimiter and header line are found out and reported.',
    type: 'string',
    format: 'binary',
  })
  @Allow()
  file!: unknown;

  @ApiPropertyOptional({
    description:
      'JSON: column header, or `#` and its number, to field: id, name, firstName, middleName, lastName, email, company, jobTitle, phones, tags, externalId, additionalEmails, addresses, addresses.<number>.<part>, birthday, birthYear, birthMonth, birthDay, department, websites, notes, customFields.<key>, customFieldsJson.<key>; null leaves a column out, such as `{"Customer name": "name", "#2": "email"}`. When sent it is all there is; otherwise columns are known by their headers.',
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
