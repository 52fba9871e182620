import { ApiProperty } from '@nestjs/swagger';
import { ID } from '../../dto/examples.js';

/** The registered application identifier of a service. */
export class RegistrationDto {
  @ApiProperty({ example: ID, format: 'uuid', description: 'Differs between installations.' })
  id!: string;

  @ApiProperty({ example: 'social-publishing' })
  slug!: string;
}

export class AttributionDto {
  @ApiProperty({
    type: () => RegistrationDto,
    nullable: true,
    description: 'null: no application has the identifier, or none was sent.',
  })
  application!: RegistrationDto | null;

  @ApiProperty({ example: true })
  organizationExists!: boolean;

  @ApiProperty({
    example: true,
    description: 'Whether the user has an enabled account and is a member of the organization.',
  })
  isMember!: boolean;
}
