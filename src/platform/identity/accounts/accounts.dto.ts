import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, Length, MaxLength } from 'class-validator';
import { is, IsName, shape, WhenSent } from '#libs/http';
import { IsAccountEmail } from '../dto/emails.js';
import { AT } from '../dto/examples.js';
import { OrganizationDto } from '../organizations/organization.dto.js';
import { UserPayloadDto } from '../validation/dto/user-payload.dto.js';
import type { Tokens } from './sessions/sessions.js';

/** NIST SP 800-63B requires a minimum of 8 and a maximum of at least 64. The maximum bounds the cost of hashing. */
const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

export class RegisterDto {
  @ApiProperty({ format: 'email', maxLength: 254, example: 'ada@example.com' })
  @IsAccountEmail()
  email!: string;

  @ApiProperty({
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
    example: 'correct horse battery staple',
    description: 'No composition rules. Common passwords and the own address are refused.',
  })
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  password!: string;

  @ApiProperty({ minLength: 1, maxLength: 120, example: 'Ada Lovelace' })
  @IsName()
  name!: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Create an organization with the new account as its owner.',
  })
  @WhenSent()
  @IsBoolean()
  createOrganization?: boolean;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 120,
    example: 'Analytical Engines',
    description:
      'Name of the organization; implies createOrganization. Default: derived from the name of the person.',
  })
  @WhenSent()
  @IsName()
  organizationName?: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Mark the organization as a developer workspace. Requires createOrganization.',
  })
  @WhenSent()
  @IsBoolean()
  developerWorkspace?: boolean;
}

export class ChangePasswordDto {
  @ApiProperty({ description: 'The current password.' })
  @IsString()
  @MaxLength(1024)
  currentPassword!: string;

  @ApiProperty({
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
    example: 'a lantern under seven maples',
  })
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  newPassword!: string;
}

/** No format validation: text that cannot be an address or a password gives the response of a wrong one. */
export class LoginDto {
  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  @IsString()
  @MaxLength(320)
  email!: string;

  @ApiProperty({ example: 'correct horse battery staple' })
  @IsString()
  @MaxLength(1024)
  password!: string;
}

export class RefreshDto {
  @ApiProperty({ description: 'The refresh token of the last sign-in or refresh, such as `copr_9fQ…`.' })
  @IsString()
  @MaxLength(256)
  refreshToken!: string;
}

/** Names as in RFC 7009, section 2.1. */
export class RevokeDto {
  @ApiProperty({ description: 'A refresh token, such as `copr_9fQ…`, or an access token.' })
  @IsString()
  @MaxLength(256)
  token!: string;

  @ApiPropertyOptional({
    example: 'refresh_token',
    description: 'Ignored: the prefix of the token identifies its type.',
  })
  @WhenSent()
  @IsString()
  @MaxLength(64)
  token_type_hint?: string;

  @ApiPropertyOptional({ description: 'Ignored: identity does not register clients.' })
  @WhenSent()
  @IsString()
  @MaxLength(256)
  client_id?: string;
}

/** Shown once; identity stores only hashes. */
export class TokensDto extends shape({
  tokenType: is.text<'Bearer'>({ example: 'Bearer', enum: ['Bearer'] }),
  accessToken: is.text({ example: 'copa_Jk3…', description: 'Send as `Authorization: Bearer …`.' }),
  expiresAt: is.instant({ example: AT }),
  refreshToken: is.text({ example: 'copr_9fQ…', description: 'Works once, at /api/auth/refresh.' }),
  refreshExpiresAt: is.instant({ example: AT }),
}) {
  static of(tokens: Tokens): TokensDto {
    return {
      tokenType: 'Bearer',
      accessToken: tokens.accessToken,
      expiresAt: tokens.accessExpiresAt.toISOString(),
      refreshToken: tokens.refreshToken,
      refreshExpiresAt: tokens.refreshExpiresAt.toISOString(),
    };
  }
}

export class RegisteredDto extends shape(
  {
    user: is.object(() => UserPayloadDto),
    organization: is.object(() => OrganizationDto, { description: 'null when none was requested.' }).orNull,
  },
  TokensDto,
) {}

export class SignedInDto extends shape(
  {
    user: is.object(() => UserPayloadDto),
  },
  TokensDto,
) {}
