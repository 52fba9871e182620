import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type Caller, CurrentCaller } from '#libs/auth';
import {
  BEARER_AUTH,
  Idempotent,
  is,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  RateLimit,
  ReturnsPage,
  shape,
} from '#libs/http';
import { type Actor, CurrentActor } from '../../access/actor.js';
import { type Role, ROLES } from '../../access/administration.js';
import { callerOrganization, mustAdminister, mustBePerson } from '../../access/organization-access.js';
import { AT, ID } from '../../dto/examples.js';
import { PathIds } from '../../dto/path-ids.js';
import { InvitationDto, InviteDto } from '../invitations/invitation.dto.js';
import { INVITATION_LIMIT, INVITE_DESCRIPTION } from '../invitations/invitations.controller.js';
import { Invitations } from '../invitations/invitations.js';
import { type MemberRow, Members } from './members.js';

class MemberDto extends shape({
  userId: is.uuid({ example: ID }),
  name: is.text({ example: 'Ada Lovelace' }),
  email: is.text({ example: 'ada@example.com', format: 'email' }),
  role: is.text<Role>({ example: 'member', enum: ROLES }),
  joinedAt: is.instant({ example: AT }),
}) {
  static of(row: MemberRow): MemberDto {
    const { id: userId, name, email, role } = row;
    return { userId, name, email, role, joinedAt: row.created_at.toISOString() };
  }
}

class ChangeRoleDto {
  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsIn(ROLES)
  role!: Role;
}

@ApiTags('Organizations')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(404)
@PathIds('organizationId')
@Controller('api/organizations/:organizationId/members')
export class MembersController {
  constructor(
    private readonly members: Members,
    private readonly invitations: Invitations,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'List members',
    description: 'Only people who are members of the organization can list them.',
  })
  @ReturnsPage(MemberDto)
  @problemResponses(403)
  @Get()
  listMembers(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<MemberDto>> {
    callerOrganization(caller, organizationId);
    mustBePerson(caller);
    const rows = (after: string | null, count: number) => this.members.list(organizationId, after, count);
    return this.pages.byId({ list: `members:${organizationId}` }, query, rows, (row) => MemberDto.of(row));
  }

  @ApiOperation({
    summary: 'Invite a person, same as POST invitations',
    description: INVITE_DESCRIPTION,
  })
  @ApiAcceptedResponse({
    type: InvitationDto,
    description: 'The pending invitation. The person is not a member yet.',
  })
  @problemResponses(403)
  @HttpCode(202)
  @Idempotent()
  @RateLimit(INVITATION_LIMIT)
  @Post()
  async addMember(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Body() body: InviteDto,
  ): Promise<InvitationDto> {
    mustAdminister(caller, organizationId);
    return InvitationDto.of(await this.invitations.invite(organizationId, body, actor));
  }

  @ApiOperation({
    summary: "Change a member's role",
    description:
      'For owners and admins; only owners change the role of or to owner, and one owner must remain. The caller must have every permission that the new role adds.',
  })
  @ApiOkResponse({ type: MemberDto, description: 'The member with the new role.' })
  @problemResponses(403, 409)
  @PathIds('userId')
  @Patch(':userId')
  async changeMemberRole(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('userId', ParseIdPipe) userId: string,
    @Body() body: ChangeRoleDto,
  ): Promise<MemberDto> {
    mustAdminister(caller, organizationId);
    return MemberDto.of(await this.members.setRole(organizationId, userId, body.role, actor));
  }

  @ApiOperation({
    summary: 'Remove a member, or leave',
    description: 'For owners and admins. Every member can remove themselves. The last owner cannot leave.',
  })
  @ApiNoContentResponse({ description: 'Removed.' })
  @problemResponses(403, 409)
  @HttpCode(204)
  @PathIds('userId')
  @Delete(':userId')
  async removeMember(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('userId', ParseIdPipe) userId: string,
  ): Promise<void> {
    if (userId === caller.id) callerOrganization(caller, organizationId);
    else mustAdminister(caller, organizationId);
    await this.members.remove(organizationId, userId, actor);
  }
}
