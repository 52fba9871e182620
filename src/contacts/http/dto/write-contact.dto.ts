import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, IsIn, IsUUID } from 'class-validator';
import { WhenSent } from '#libs/http';
import { writtenFields } from './contact-fields.dto.js';

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
