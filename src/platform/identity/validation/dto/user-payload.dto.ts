import { ApiProperty } from '@nestjs/swagger';
import { ID } from '../../dto/examples.js';

/** The displayed data of a principal. */
export class UserPayloadDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ example: 'ada@example.com', type: String, format: 'email', nullable: true })
  email!: string | null;

  @ApiProperty({
    example: 'user',
    enum: ['user', 'external', 'platform_admin', 'platform_super_admin', 'service', 'api_key'],
    description: 'external: an identity managed elsewhere.',
  })
  principalType!: string;

  @ApiProperty({ example: [], type: [String], description: 'Slugs of the services of an automation.' })
  principalServices!: readonly string[];

  @ApiProperty({ example: true, description: 'Whether the principal may open the workspace launcher.' })
  launcherEligible!: boolean;

  @ApiProperty({
    example: null,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Set in the personal context of a family profile.',
  })
  selectedHouseholdId!: string | null;

  @ApiProperty({ example: null, type: 'object', additionalProperties: true, nullable: true })
  selectedHousehold!: Readonly<Record<string, unknown>> | null;
}
