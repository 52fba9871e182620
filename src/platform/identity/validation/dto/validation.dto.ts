import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UserPayloadDto } from './user-payload.dto.js';
import { AT, ID } from '../../dto/examples.js';

export class PrincipalDto {
  @ApiProperty({
    example: ID,
    format: 'uuid',
    description: 'For an API key: the id of the first key of its rotation, which all its successors share.',
  })
  id!: string;

  @ApiProperty({ example: 'user', enum: ['user', 'service', 'api_key'] })
  type!: 'user' | 'service' | 'api_key';

  @ApiProperty({ example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({
    example: 'ada@example.com',
    type: String,
    nullable: true,
    format: 'email',
    description: 'null for automations.',
  })
  email!: string | null;
}

export class ValidatedServiceDto {
  @ApiProperty({ example: ID, format: 'uuid', description: 'Differs between installations; never store it.' })
  id!: string;

  @ApiProperty({ example: 'social-publishing' })
  slug!: string;
}

export class ValidatedOrganizationDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Analytical Engines' })
  name!: string;

  @ApiProperty({ example: 'owner', enum: ['owner', 'admin', 'member', 'viewer', 'service', 'api_key'] })
  role!: string;

  @ApiProperty({
    type: [String],
    example: ['posts.read', 'posts.write'],
    description: 'Scopes of the requested service.',
  })
  scopes!: readonly string[];

  @ApiProperty({
    example: null,
    type: [String],
    nullable: true,
    description: 'null: every brand of the organization; else only these.',
  })
  brandIds!: readonly string[] | null;

  @ApiProperty({
    example: false,
    description:
      'Whether it is the one organization whose platform administrators administer the whole installation.',
  })
  isAdministrative!: boolean;
}

export class ValidationDto {
  @ApiProperty({
    example: true,
    enum: [true],
    description: 'Always true: refused credentials give 401.',
  })
  active!: true;

  @ApiProperty({
    example: AT,
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: the credential does not expire.',
  })
  expiresAt!: string | null;

  @ApiProperty({ type: () => PrincipalDto })
  principal!: PrincipalDto;

  @ApiPropertyOptional({
    example: ID,
    format: 'uuid',
    description:
      'The principal of the API key that was sent with a bearer. The bearer’s principal acts; both are answerable.',
  })
  apiKeyId?: string;

  @ApiProperty({ type: () => UserPayloadDto })
  user!: UserPayloadDto;

  @ApiProperty({ type: () => ValidatedServiceDto, nullable: true })
  service!: ValidatedServiceDto | null;

  @ApiProperty({ type: () => [ValidatedOrganizationDto], description: 'All of the caller’s organizations.' })
  organizations!: readonly ValidatedOrganizationDto[];
}
