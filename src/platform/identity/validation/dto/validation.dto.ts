import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { MAX_VALIDATIONS } from '#libs/platform-client';
import { AT, ID } from '../../dto/examples.js';
import { UserPayloadDto } from './user-payload.dto.js';

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

/** Like the headers and the parameter of one validation. Any text: a malformed credential is refused like an unknown one. */
export class CredentialsDto {
  @ApiPropertyOptional({
    example: 'Bearer copa_8pYw1zq0',
    description: 'The whole `Authorization` header of the caller.',
  })
  @IsOptional()
  @IsString()
  authorization?: string;

  @ApiPropertyOptional({ example: 'cop_live_8pYw1zq0', description: 'The whole `X-Api-Key` header.' })
  @IsOptional()
  @IsString()
  apiKey?: string;

  @ApiPropertyOptional({
    example: 'social-publishing',
    description: 'Slug of the service of the scopes. Without it, the response contains no scopes.',
  })
  @IsOptional()
  @IsString()
  service?: string;
}

export class ValidationBatchDto {
  @ApiProperty({ type: [CredentialsDto], minItems: 1, maxItems: MAX_VALIDATIONS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_VALIDATIONS)
  @ValidateNested({ each: true })
  @Type(() => CredentialsDto)
  validations!: CredentialsDto[];
}

export class ValidationResultDto {
  @ApiProperty({
    example: 200,
    description: 'As `GET /validate` answers these credentials alone, such as 200, 401, 404 or 503.',
  })
  status!: number;

  @ApiProperty({ type: () => ValidationDto, nullable: true, description: 'null unless the status is 200.' })
  validation!: ValidationDto | null;
}

export class ValidationResultsDto {
  @ApiProperty({ type: [ValidationResultDto], description: 'In the order of the request.' })
  results!: readonly ValidationResultDto[];
}
