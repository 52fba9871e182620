import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsEmail, IsString, Length, MaxLength } from 'class-validator';
import { IsName, WhenSent } from '#libs/http';
import { normalisedEmail } from '../emails.js';

/** NIST SP 800-63B asks for at least 8 and for accepting at least 64; the upper bound keeps hashing cheap to refuse. */
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

export class RegisterDto {
  @ApiProperty({ format: 'email', maxLength: 254, example: 'ada@example.com' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalisedEmail(value) : value))
  @IsEmail()
  @MaxLength(254)
  email!: string;

  @ApiProperty({
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
    example: 'correct horse battery staple',
    description: 'No rules of composition; the most used passwords are refused.',
  })
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  password!: string;

  @ApiProperty({ minLength: 1, maxLength: 120, example: 'Ada Lovelace' })
  @IsName()
  name!: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Make an organization, with the new account as its owner.',
  })
  @WhenSent()
  @IsBoolean()
  createOrganization?: boolean;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 120,
    example: 'Analytical Engines',
    description: 'Its name; naming one makes one. By default it is named after the person.',
  })
  @WhenSent()
  @IsName()
  organizationName?: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Make that organization a developer workspace. Needs createOrganization.',
  })
  @WhenSent()
  @IsBoolean()
  developerWorkspace?: boolean;
}
