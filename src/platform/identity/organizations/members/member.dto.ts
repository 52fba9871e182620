import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type Role, ROLES } from '../../access/administrator.js';
import type { MemberRow } from './members.js';
import { AT, ID } from '../../dto/examples.js';

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

export class ChangeRoleDto {
  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsIn(ROLES)
  role!: Role;
}
