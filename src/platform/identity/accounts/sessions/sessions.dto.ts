import { ApiProperty } from '@nestjs/swagger';
import { ListWarningsDto } from '#libs/http';
import { AT, ID } from '../../dto/examples.js';
import { MyInvitationDto } from '../../organizations/invitations/invitation.dto.js';
import { UserPayloadDto } from '../../validation/dto/user-payload.dto.js';

export class SessionDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: true, description: 'Whether this request belongs to the session.' })
  current!: boolean;

  @ApiProperty({
    example: '192.0.2.1',
    type: String,
    nullable: true,
    description: 'IP address of the sign-in.',
  })
  address!: string | null;

  @ApiProperty({ example: 'Mozilla/5.0', type: String, nullable: true })
  userAgent!: string | null;

  @ApiProperty({ example: AT, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ example: AT, format: 'date-time', description: 'Accurate to the minute.' })
  lastUsedAt!: Date;

  @ApiProperty({ example: AT, format: 'date-time' })
  expiresAt!: Date;
}

export class SessionsDto extends ListWarningsDto {
  @ApiProperty({ type: () => [SessionDto] })
  data!: SessionDto[];
}

class MyOrganizationDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Analytical Engines' })
  name!: string;

  @ApiProperty({ example: 'owner', enum: ['owner', 'admin', 'member', 'viewer', 'service', 'api_key'] })
  role!: string;
}

export class MeDto extends UserPayloadDto {
  @ApiProperty({ type: () => [MyOrganizationDto] })
  organizations!: MyOrganizationDto[];

  @ApiProperty({
    type: () => [MyInvitationDto],
    description: 'Up to 20, newest first; empty for automations.',
  })
  invitations!: MyInvitationDto[];
}
