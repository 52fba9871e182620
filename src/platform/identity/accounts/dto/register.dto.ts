import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, Length } from 'class-validator';
import { IsName, WhenSent } from '#libs/http';
import { IsAccountEmail } from '../../dto/emails.js';

/** NIST SP 800-63B requires a minimum of 8 and a maximum of at least 64. The maximum bounds the cost of hashing. */
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

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
