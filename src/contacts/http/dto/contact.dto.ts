import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, IsIn, IsUUID } from 'class-validator';
import { is, shape, WhenSent } from '#libs/http';
import { withShownFields, writtenFields } from './contact-fields.dto.js';

export class AuthorDto extends shape({
  type: is.text<'user' | 'service' | 'api_key'>({ enum: ['user', 'service', 'api_key'], example: 'user' }),
  id: is.uuid({
    description: 'Id at the identity service.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  }),
}) {}

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

class OwnedDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  organizationId: is.uuid({
    description: 'The organization it belongs to; never changes.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  }),
}) {}

export class ContactDto extends shape(
  {
    deleted: is.flag({
      description: 'Whether it is soft-deleted: not listed, but restorable.',
      example: false,
    }),
    createdAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
    updatedAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
    version: is.integer({ description: 'Increases with every change; the ETag contains it.', example: 1 }),
  },
  withShownFields(OwnedDto),
) {}

export class DeletedContactDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  deleted: is.flag<true>({ example: true }),
  erased: is.flag({ description: 'true: removed permanently. false: it can be restored.', example: false }),
}) {}
