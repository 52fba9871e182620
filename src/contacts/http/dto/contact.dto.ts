import { ApiProperty } from '@nestjs/swagger';
import { withShownFields } from './contact-fields.dto.js';

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
