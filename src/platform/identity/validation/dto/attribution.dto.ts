import { ApiProperty } from '@nestjs/swagger';
import { RegistrationDto } from './registration.dto.js';

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
