import { ApiProperty } from '@nestjs/swagger';
import { ID } from '../../dto/examples.js';

/** The registered application identifier of a service. */
export class RegistrationDto {
  @ApiProperty({ example: ID, format: 'uuid', description: 'Differs between installations.' })
  id!: string;

  @ApiProperty({ example: 'social-publishing' })
  slug!: string;
}
