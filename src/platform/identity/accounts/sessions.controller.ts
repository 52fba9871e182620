import {
  Body,
  Controller,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
} from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, CredentialsAreNotValid, CurrentCaller } from '#libs/auth';
import { BEARER_AUTH, ParseIdPipe, problemResponses, RateLimit, WarnsOfParameters } from '#libs/http';
import { type Actor, CurrentActor } from '../access/actor.js';
import { mustBePerson } from '../access/organization-access.js';
import { PathIds } from '../dto/path-ids.js';
import { MyInvitationDto } from '../organizations/invitations/invitation.dto.js';
import { MAX_SHOWN_WITH_ME } from '../organizations/invitations/invitations.sql.js';
import { MyInvitations } from '../organizations/invitations/my-invitations.js';
import { bearerToken, Validation } from '../validation/validation.js';
import { ChangePasswordDto } from './accounts.dto.js';
import { MeDto, SessionsDto } from './sessions/sessions.dto.js';
import { Sessions } from './sessions/sessions.js';
import { SignIn } from './sign-in.js';

/** The bearer token of an authenticated request. */
const AccessToken = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    bearerToken(context.switchToHttp().getRequest<Request>().headers.authorization) ?? '',
);

/** Each change hashes two passwords. */
const PASSWORD_CHANGES = { name: 'change-password', limit: 60, windowSeconds: 3600 } as const;

@ApiTags('Sessions')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(401)
@Controller('api/auth')
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly signIn: SignIn,
    private readonly validation: Validation,
    private readonly invitations: MyInvitations,
  ) {}

  @ApiOperation({
    summary: 'Get the signed-in user',
    description:
      'The user payload, all organizations of the caller, and the newest invitations that the caller can accept. /api/auth/me/invitations lists all of them.',
  })
  @ApiOkResponse({ type: MeDto, description: 'The caller.' })
  @Get('me')
  async getOwnAccount(@AccessToken() token: string): Promise<MeDto> {
    const validated = await this.validation.validate({ authorization: `Bearer ${token}` });
    if (!validated) throw new CredentialsAreNotValid();
    const organizations = validated.organizations.map(({ id, name, role }) => ({ id, name, role }));
    const isPerson = validated.principal.type === 'user';
    const invited = isPerson ? await this.invitations.list(validated.user.id, null, MAX_SHOWN_WITH_ME) : [];
    return { ...validated.user, organizations, invitations: invited.map((row) => MyInvitationDto.of(row)) };
  }

  @ApiOperation({
    summary: 'Change the password',
    description:
      'Ends every other session of the account. A wrong current password counts as a failed sign-in.',
  })
  @ApiNoContentResponse({ description: 'Changed.' })
  @problemResponses(403)
  @HttpCode(204)
  @RateLimit(PASSWORD_CHANGES)
  @Put('me/password')
  async changePassword(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @AccessToken() token: string,
    @Body() body: ChangePasswordDto,
  ): Promise<void> {
    mustBePerson(caller);
    await this.signIn.changePassword(
      { ...actor, id: caller.id },
      body.currentPassword,
      body.newPassword,
      token,
    );
  }

  @ApiOperation({ summary: 'Sign out', description: 'Ends this session and revokes all its tokens at once.' })
  @ApiNoContentResponse({ description: 'Signed out.' })
  @problemResponses(403)
  @HttpCode(204)
  @Post('logout')
  async endOwnSession(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @AccessToken() token: string,
  ): Promise<void> {
    mustBePerson(caller);
    await this.sessions.end(token, actor);
  }

  @ApiOperation({
    summary: 'List my sessions',
    description: 'Active sessions, newest first, up to 200.',
  })
  @WarnsOfParameters()
  @ApiOkResponse({ type: SessionsDto, description: 'The active sessions.' })
  @problemResponses(403)
  @Get('sessions')
  async listSessions(@CurrentCaller() caller: Caller, @AccessToken() token: string): Promise<SessionsDto> {
    mustBePerson(caller);
    return { data: await this.sessions.list(caller.id, token) };
  }

  @ApiOperation({
    summary: 'End one of my sessions',
    description: 'Ends the session and revokes all its tokens at once.',
  })
  @ApiNoContentResponse({ description: 'Ended.' })
  @problemResponses(403, 404)
  @HttpCode(204)
  @PathIds('sessionId')
  @Delete('sessions/:sessionId')
  async endSession(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('sessionId', ParseIdPipe) sessionId: string,
  ): Promise<void> {
    mustBePerson(caller);
    await this.sessions.endOne(caller.id, sessionId, actor);
  }
}
