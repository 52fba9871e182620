import { is, ListWarningsDto, shape } from '#libs/http';
import { AT, ID } from '../../dto/examples.js';
import { MyInvitationDto } from '../../organizations/invitations/invitation.dto.js';
import { UserPayloadDto } from '../../validation/dto/user-payload.dto.js';

export class SessionDto extends shape({
  id: is.uuid({ example: ID }),
  current: is.flag({ example: true, description: 'Whether this request belongs to the session.' }),
  address: is.of<string | null>({
    example: '192.0.2.1',
    type: String,
    nullable: true,
    description: 'IP address of the sign-in.',
  }),
  userAgent: is.of<string | null>({ example: 'Mozilla/5.0', type: String, nullable: true }),
  createdAt: is.date({ example: AT }),
  lastUsedAt: is.date({ example: AT, description: 'Accurate to the minute.' }),
  expiresAt: is.date({ example: AT }),
}) {}

export class SessionsDto extends shape(
  {
    data: is.list(() => SessionDto),
  },
  ListWarningsDto,
) {}

class MyOrganizationDto extends shape({
  id: is.uuid({ example: ID }),
  name: is.text({ example: 'Analytical Engines' }),
  role: is.text({ example: 'owner', enum: ['owner', 'admin', 'member', 'viewer', 'service', 'api_key'] }),
}) {}

export class MeDto extends shape(
  {
    organizations: is.list(() => MyOrganizationDto),
    invitations: is.list(() => MyInvitationDto, {
      description: 'Up to 20, newest first; empty for automations.',
    }),
  },
  UserPayloadDto,
) {}
