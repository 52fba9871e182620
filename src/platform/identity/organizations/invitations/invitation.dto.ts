import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import { is, shape, WhenSent } from '#libs/http';
import { IsAccountEmail } from '../../dto/emails.js';
import { AT, ID } from '../../dto/examples.js';
import { type Role, ROLES } from '../../access/administration.js';
import type { InvitationRow } from './invitations.js';

const STATUSES = ['pending', 'accepted', 'declined', 'withdrawn', 'expired'] as const;

const NEEDS_VERIFICATION =
  'Email addresses cannot be verified yet. Invite the person by the userId shown at /api/auth/me.';

export class InvitationDto extends shape({
  id: is.uuid({ example: ID }),
  organizationId: is.uuid({ example: ID }),
  userId: is.of<string | null>({
    example: ID,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The invited account; null for an invitation by email address.',
  }),
  email: is.of<string | null>({
    example: null,
    type: String,
    format: 'email',
    nullable: true,
    description: 'As the inviter sent it; null when only a userId was sent.',
  }),
  role: is.text<Role>({ example: 'member', enum: ROLES }),
  status: is.text<(typeof STATUSES)[number]>({ example: 'pending', enum: STATUSES }),
  canBeAccepted: is.flag({ example: true, description: 'Whether the invited person can accept it now.' }),
  hint: is.of<string | null>({
    example: null,
    type: String,
    nullable: true,
    description: 'Why a pending invitation cannot be accepted, and what to do.',
  }),
  invitedBy: is.of<string | null>({
    example: ID,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'User id of the inviter.',
  }),
  createdAt: is.instant({ example: AT }),
  expiresAt: is.instant({ example: AT }),
}) {
  static of(row: InvitationRow): InvitationDto {
    const isPending = row.status === 'pending';
    return {
      id: row.id,
      organizationId: row.organization_id,
      userId: row.user_id,
      email: row.email,
      role: row.role,
      status: row.status,
      canBeAccepted: isPending && row.user_id !== null,
      hint: isPending && row.user_id === null ? NEEDS_VERIFICATION : null,
      invitedBy: row.invited_by,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    };
  }
}

export class MyInvitationDto extends shape({
  id: is.uuid({ example: ID }),
  organizationId: is.uuid({ example: ID }),
  organizationName: is.text({ example: 'Analytical Engines' }),
  role: is.text<Role>({ example: 'member', enum: ROLES }),
  inviterName: is.of<string | null>({ example: 'Ada Lovelace', type: String, nullable: true }),
  createdAt: is.instant({ example: AT }),
  expiresAt: is.instant({ example: AT }),
}) {
  static of(row: InvitationRow): MyInvitationDto {
    return {
      id: row.id,
      organizationId: row.organization_id,
      organizationName: row.organization,
      role: row.role,
      inviterName: row.inviter,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    };
  }
}

export class InviteDto {
  @ApiPropertyOptional({
    example: ID,
    format: 'uuid',
    description: 'The id of the invited account from /api/auth/me. Send userId, email or both.',
  })
  @WhenSent()
  @IsUUID('all')
  userId?: string;

  @ApiPropertyOptional({
    format: 'email',
    example: 'grace@example.com',
    maxLength: 254,
    description:
      'Without userId: an invitation for the account that verifies this address. Addresses cannot be verified yet, so it cannot be accepted until then. With userId: 404 unless that account has this address.',
  })
  @WhenSent()
  @IsAccountEmail()
  email?: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsIn(ROLES)
  role!: Role;
}
