import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { is, shape } from '#libs/http';
import { MAX_VALIDATIONS } from '#libs/platform-client';
import { AT, ID } from '../../dto/examples.js';
import { UserPayloadDto } from './user-payload.dto.js';

export class PrincipalDto extends shape({
  id: is.uuid({
    example: ID,
    description: 'For an API key: the id of the first key of its rotation, which all its successors share.',
  }),
  type: is.text<'user' | 'service' | 'api_key'>({ example: 'user', enum: ['user', 'service', 'api_key'] }),
  name: is.text({ example: 'Ada Lovelace' }),
  email: is.of<string | null>({
    example: 'ada@example.com',
    type: String,
    nullable: true,
    format: 'email',
    description: 'null for automations.',
  }),
}) {}

export class ValidatedServiceDto extends shape({
  id: is.uuid({ example: ID, description: 'Differs between installations; never store it.' }),
  slug: is.text({ example: 'social-publishing' }),
}) {}

export class ValidatedOrganizationDto extends shape({
  id: is.uuid({ example: ID }),
  name: is.text({ example: 'Analytical Engines' }),
  role: is.text({ example: 'owner', enum: ['owner', 'admin', 'member', 'viewer', 'service', 'api_key'] }),
  scopes: is.texts({
    example: ['posts.read', 'posts.write'],
    description: 'Scopes of the requested service.',
  }),
  brandIds: is.texts({
    example: null,
    description: 'null: every brand of the organization; else only these.',
  }).orNull,
  isAdministrative: is.flag({
    example: false,
    description:
      'Whether it is the one organization whose platform administrators administer the whole installation.',
  }),
}) {}

export class ValidationDto extends shape({
  active: is.flag<true>({
    example: true,
    enum: [true],
    description: 'Always true: refused credentials give 401.',
  }),
  expiresAt: is.of<string | null>({
    example: AT,
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: the credential does not expire.',
  }),
  principal: is.object(() => PrincipalDto),
  apiKeyId: is.uuid({
    example: ID,
    description:
      'The principal of the API key that was sent with a bearer. The bearer’s principal acts; both are answerable.',
  }).optional,
  user: is.object(() => UserPayloadDto),
  service: is.object(() => ValidatedServiceDto).orNull,
  organizations: is.list(() => ValidatedOrganizationDto, {
    description: 'All of the caller’s organizations.',
  }),
}) {}

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

export class ValidationResultDto extends shape({
  status: is.of<number>({
    type: 'number',
    example: 200,
    description: 'As `GET /validate` answers these credentials alone, such as 200, 401, 404 or 503.',
  }),
  validation: is.object(() => ValidationDto, { description: 'null unless the status is 200.' }).orNull,
}) {}

export class ValidationResultsDto extends shape({
  results: is.of<readonly ValidationResultDto[]>({
    type: [ValidationResultDto],
    description: 'In the order of the request.',
  }),
}) {}
