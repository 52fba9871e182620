import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, IsIn, IsUUID } from 'class-validator';
import { WhenSent } from '#libs/http';
import type { Author } from '../../domain/author.js';
import { withShownFields, writtenFields } from './contact-fields.dto.js';

export class AuthorDto implements Author {
  @ApiProperty({ enum: ['user', 'service', 'api_key'], example: 'user' })
  type!: Author['type'];

  @ApiProperty({
    description: 'Id at the identity service.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  })
  id!: string;
}

/** Missing fields are unchanged; null clears a field. */
export class UpdateContactDto extends writtenFields() {}

export class CreateContactDto extends UpdateContactDto {
  @ApiPropertyOptional({
    description: 'Optional for callers with one organization.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  @WhenSent()
  @IsUUID()
  organizationId?: string;
}

const ON_DUPLICATE = ['accept', 'reject'] as const;

export class CreateContactQuery {
  @ApiPropertyOptional({
    description: '`reject` answers 400 with the id of an existing contact with the same email address.',
    enum: ON_DUPLICATE,
    default: 'accept',
  })
  @IsIn(ON_DUPLICATE)
  onDuplicate: (typeof ON_DUPLICATE)[number] = 'accept';
}

export class DeleteContactQuery {
  @ApiPropertyOptional({
    description:
      '`true`: permanently, which needs the role owner or admin. Otherwise only the deleted flag is set.',
    type: 'boolean',
    default: false,
  })
  @Transform(({ value }) => value === 'true', { toClassOnly: true })
  @Allow()
  erase: boolean = false;
}

class OwnedDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  id!: string;

  @ApiProperty({
    description: 'The organization it belongs to; never changes.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  organizationId!: string;
}

export class ContactDto extends withShownFields(OwnedDto) {
  @ApiProperty({
    description: 'Whether it is soft-deleted: not listed, but restorable.',
    example: false,
  })
  deleted!: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  updatedAt!: string;

  @ApiProperty({
    description: 'Increases with every change; the ETag contains it.',
    type: 'integer',
    example: 1,
  })
  version!: number;
}

/** The answer after a deletion. */
export class DeletedContactDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  id!: string;

  @ApiProperty({ example: true })
  deleted!: true;

  @ApiProperty({
    description: 'true: removed permanently. false: it can be restored.',
    example: false,
  })
  erased!: boolean;
}
