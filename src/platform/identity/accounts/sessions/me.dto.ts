import { ApiProperty } from '@nestjs/swagger';
import { UserPayloadDto } from '../../validation/dto/user-payload.dto.js';
import { MyInvitationDto } from '../../organizations/invitations/invitation.dto.js';
import { ID } from '../../dto/examples.js';

export class MyOrganizationDto {
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
