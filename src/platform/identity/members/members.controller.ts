import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Caller } from '#libs/auth';
import { CurrentCaller } from '#libs/auth';
import type { Page } from '#libs/http';
import {
  BEARER_AUTH,
  Idempotent,
  ListQuery,
  ParseIdPipe,
  problemResponses,
  RateLimit,
  ReturnsPage,
} from '#libs/http';
import { emailKey } from '../accounts/emails.js';
import type { Actor } from '../audit/actor.js';
import { CurrentActor } from '../audit/actor.js';
import { IdPages } from '../id-pages.js';
import { OnlyForPeople } from '../identity.errors.js';
import { PathIds } from '../path-ids.js';
import { mustAdminister, ownOrganization } from '../organizations/standing.js';
import { AddMemberDto, ChangeRoleDto, MemberDto } from './dto/member.dto.js';
import { Members } from './members.js';

/** It tells who has an account: as rare as registrations, which do too. */
const ADDITIONS = { name: 'add-member', limit: 300, windowSeconds: 3600 } as const;

@ApiTags('Organizations')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(401, 404)
@PathIds('organizationId')
@Controller('api/organizations/:organizationId/members')
export class MembersController {
  constructor(
    private readonly members: Members,
    private readonly pages: IdPages,
  ) {}

  @ApiOperation({
    summary: 'List members',
    description: 'For every member of the organization who is a person.',
  })
  @ReturnsPage(MemberDto)
  @problemResponses(403)
  @Get()
  listMembers(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<MemberDto>> {
    ownOrganization(caller, organizationId);
    if (caller.isAutomation) throw new OnlyForPeople();
    const rows = (after: string | null, count: number) => this.members.list(organizationId, after, count);
    return this.pages.page(`members:${organizationId}`, query, rows, (row) => MemberDto.of(row));
  }

  @ApiOperation({
    summary: 'Add a member',
    description:
      'For owners and admins; only owners add owners, and nobody gives a role that brings what they may not do themselves. 404 also when nobody has this email address. Whoever registered an address first has the account, and nobody has shown that it is theirs: who must not add a stranger asks the person for their user id, and sends it too. The person is a member at once and may leave; 409 when they are one already, or belong to 100 organizations of others.',
  })
  @ApiCreatedResponse({ type: MemberDto, description: 'The new member.' })
  @problemResponses(403)
  @Idempotent()
  @RateLimit(ADDITIONS)
  @Post()
  async addMember(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Body() body: AddMemberDto,
  ): Promise<MemberDto> {
    mustAdminister(caller, organizationId);
    const { email, userId, role } = body;
    const request = { emailKey: emailKey(email), userId, role };
    return MemberDto.of(await this.members.add(organizationId, request, actor));
  }

  @ApiOperation({
    summary: "Change a member's role",
    description:
      'For owners and admins; only owners make or unmake owners, and one owner stays. Nobody gives a role that brings what they may not do themselves.',
  })
  @ApiOkResponse({ type: MemberDto, description: 'The member with the new role.' })
  @problemResponses(400, 403, 409)
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
    description: 'For owners and admins, and for everybody about themselves. The last owner cannot go.',
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
    if (userId === caller.id) ownOrganization(caller, organizationId);
    else mustAdminister(caller, organizationId);
    await this.members.remove(organizationId, userId, actor);
  }
}
