import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import {
  BEARER_AUTH,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsPage,
} from '#libs/http';
import { type Actor, CurrentActor } from '../../access/actor.js';
import { mustBePerson } from '../../access/organization-access.js';
import { PathIds } from '../../dto/path-ids.js';
import { InvitationDto, MyInvitationDto } from './invitation.dto.js';
import { MyInvitations } from './my-invitations.js';
import {
  InvitationNotFound,
  InvitationIsClosed,
  EmailIsNotVerified,
  InviterMayNotGiveRole,
} from './invitation.errors.js';
import { CallerIsNotPerson } from '../../identity.errors.js';

@ApiTags('Organizations')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(CallerIsNotPerson)
@Controller('api/auth/me/invitations')
export class MyInvitationsController {
  constructor(
    private readonly invitations: MyInvitations,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'List my invitations',
    description: 'Invitations by user id that the caller can accept, newest first.',
  })
  @ReturnsPage(MyInvitationDto)
  @Get()
  listMyInvitations(
    @CurrentCaller() caller: Caller,
    @Query() query: ListQuery,
  ): Promise<Page<MyInvitationDto>> {
    mustBePerson(caller);
    const rows = (after: string | null, count: number) => this.invitations.list(caller.id, after, count);
    return this.pages.byId({ list: `my-invitations:${caller.id}` }, query, rows, (row) =>
      MyInvitationDto.of(row),
    );
  }

  @ApiOperation({
    summary: 'Accept an invitation',
    description:
      'The caller becomes a member at once. 404 for an invitation of another person. 409 when it is closed or expired, when the inviter cannot grant the role any more, when the caller is a member or belongs to 100 organizations of others, and for an invitation by email address, because addresses cannot be verified yet.',
  })
  @ApiOkResponse({ type: InvitationDto, description: 'The accepted invitation.' })
  @problemResponses(InvitationNotFound, InvitationIsClosed, InviterMayNotGiveRole, EmailIsNotVerified)
  @PathIds('invitationId')
  @HttpCode(200)
  @Post(':invitationId/accept')
  async acceptInvitation(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('invitationId', ParseIdPipe) invitationId: string,
  ): Promise<InvitationDto> {
    mustBePerson(caller);
    return InvitationDto.of(await this.invitations.accept(invitationId, { ...actor, id: caller.id }));
  }

  @ApiOperation({ summary: 'Decline an invitation', description: '404 and 409 as for accepting it.' })
  @ApiNoContentResponse({ description: 'Declined.' })
  @problemResponses(InvitationNotFound, InvitationIsClosed, EmailIsNotVerified)
  @PathIds('invitationId')
  @HttpCode(204)
  @Post(':invitationId/decline')
  async declineInvitation(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('invitationId', ParseIdPipe) invitationId: string,
  ): Promise<void> {
    mustBePerson(caller);
    await this.invitations.decline(invitationId, { ...actor, id: caller.id });
  }
}
