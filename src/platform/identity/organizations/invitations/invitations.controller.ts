import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import {
  BEARER_AUTH,
  Idempotent,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  RateLimit,
  ReturnsPage,
} from '#libs/http';
import { type Actor, CurrentActor } from '../../access/actor.js';
import { mustAdminister } from '../../access/organization-access.js';
import { PathIds } from '../../dto/path-ids.js';
import { InvitationDto, InviteDto } from './invitation.dto.js';
import { Invitations } from './invitations.js';

/** Invitations and resends are unsolicited messages to a person. */
export const INVITATION_LIMIT = { name: 'add-member', limit: 300, windowSeconds: 3600 } as const;

export const INVITE_DESCRIPTION =
  'For owners and admins; only owners invite owners, and the caller must have every permission of the role. The invited person is not a member and has no permissions until they accept at /api/auth/me/invitations/{invitationId}/accept. An invitation by `userId` can be accepted by that account. An invitation by `email` alone belongs to the account that verifies the address. Addresses cannot be verified yet, so it cannot be accepted until then; `canBeAccepted` and `hint` show this. The response does not disclose whether an address has an account. 409 when the person is a member, has a pending invitation, or 200 are pending.';

@ApiTags('Organizations')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(403, 404)
@PathIds('organizationId')
@Controller('api/organizations/:organizationId/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({ summary: 'Invite a person', description: INVITE_DESCRIPTION })
  @ApiCreatedResponse({ type: InvitationDto, description: 'The pending invitation.' })
  @Idempotent()
  @RateLimit(INVITATION_LIMIT)
  @Post()
  async createInvitation(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Body() body: InviteDto,
  ): Promise<InvitationDto> {
    mustAdminister(caller, organizationId);
    return InvitationDto.of(await this.invitations.invite(organizationId, body, actor));
  }

  @ApiOperation({
    summary: 'List invitations',
    description: 'For owners and admins: pending and expired ones, newest first.',
  })
  @ReturnsPage(InvitationDto)
  @Get()
  listInvitations(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<InvitationDto>> {
    mustAdminister(caller, organizationId);
    const rows = (after: string | null, count: number) => this.invitations.list(organizationId, after, count);
    return this.pages.byId({ list: `invitations:${organizationId}` }, query, rows, (row) =>
      InvitationDto.of(row),
    );
  }

  @ApiOperation({
    summary: 'Resend an invitation',
    description:
      'Renews a pending or expired invitation from now; the caller becomes its inviter. 409 when it was accepted, declined, withdrawn or replaced by a later invitation, or when it expired and 200 are pending.',
  })
  @ApiOkResponse({ type: InvitationDto, description: 'The pending invitation.' })
  @problemResponses(409)
  @PathIds('invitationId')
  @HttpCode(200)
  @RateLimit(INVITATION_LIMIT)
  @Post(':invitationId/resend')
  async resendInvitation(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('invitationId', ParseIdPipe) invitationId: string,
  ): Promise<InvitationDto> {
    mustAdminister(caller, organizationId);
    return InvitationDto.of(await this.invitations.resend(organizationId, invitationId, actor));
  }

  @ApiOperation({
    summary: 'Withdraw an invitation',
    description: 'For owners and admins; owners withdraw the invitation of an owner. 409 when it is closed.',
  })
  @ApiNoContentResponse({ description: 'Withdrawn.' })
  @problemResponses(409)
  @PathIds('invitationId')
  @HttpCode(204)
  @Delete(':invitationId')
  async withdrawInvitation(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('invitationId', ParseIdPipe) invitationId: string,
  ): Promise<void> {
    mustAdminister(caller, organizationId);
    await this.invitations.withdraw(organizationId, invitationId, actor);
  }
}
