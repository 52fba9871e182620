import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsUUID, MaxLength } from 'class-validator';
import { WhenSent } from '#libs/http';
import { normalisedEmail } from '../../accounts/emails.js';
import type { Role } from '../administrator.js';
import { ROLES } from '../administrator.js';
import type { MemberRow } from '../members.js';
import { AT, ID } from '../../examples.js';

export class MemberDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  userId!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ example: 'ada@example.com', format: 'email' })
  email!: string;

  @ApiProperty({ example: 'member', enum: ROLES })
  role!: Role;

  @ApiProperty({ example: AT, format: 'date-time' })
  joinedAt!: string;

  static of(row: MemberRow): MemberDto {
    const { id: userId, name, email, role } = row;
    return { userId, name, email, role, joinedAt: row.created_at.toISOString() };
  }
}

export class AddMemberDto {
  @ApiProperty({
    format: 'email',
    description: 'Of an account that exists. No account has shown yet that its address is its own.',
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalisedEmail(value) : value))
  @IsEmail()
  @MaxLength(254)
  email!: string;

  @ApiPropertyOptional({
    example: ID,
    format: 'uuid',
    description:
      'Of the account that is meant, as the person finds it at /api/auth/me: 404 when another one has the address.',
  })
  @WhenSent()
  @IsUUID('all')
  userId?: string;

  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role!: Role;
}

export class ChangeRoleDto {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role!: Role;
}
