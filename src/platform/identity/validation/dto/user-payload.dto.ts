import { ApiProperty } from '@nestjs/swagger';

/** What the platform shows of a principal. */
export class UserPayloadDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ type: String, format: 'email', nullable: true })
  email!: string | null;

  @ApiProperty({
    enum: ['user', 'external', 'platform_admin', 'platform_super_admin', 'service', 'api_key'],
    description: 'external: an identity managed elsewhere.',
  })
  principalType!: string;

  @ApiProperty({ type: [String], description: 'Slugs of the services an automation acts for.' })
  principalServices!: readonly string[];

  @ApiProperty({ description: 'Whether the workspace launcher may be opened.' })
  launcherEligible!: boolean;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Set in the personal context of a family profile.',
  })
  selectedHouseholdId!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  selectedHousehold!: Readonly<Record<string, unknown>> | null;
}
