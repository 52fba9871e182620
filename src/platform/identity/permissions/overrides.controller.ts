import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/auth';
import { CurrentCaller } from '#libs/auth';
import { BEARER_AUTH, IfMatch, ParseIdPipe, problemResponses, ReturnsEtag } from '#libs/http';
import type { Actor } from '../audit/actor.js';
import { CurrentActor } from '../audit/actor.js';
import { PathIds } from '../path-ids.js';
import { mustAdminister } from '../organizations/organization-access.js';
import { MemberOverridesDto, OverridesDto } from './dto/overrides.dto.js';
import { Overrides } from './overrides.js';

@ApiTags('Permissions')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(401, 403, 404)
@PathIds('organizationId', 'userId')
@Controller('api/organizations/:organizationId/members/:userId/permission-overrides')
export class OverridesController {
  constructor(private readonly overrides: Overrides) {}

  @ApiOperation({
    summary: "A member's overrides",
    description: 'For owners and admins. What they amount to is among the permissions of the user.',
  })
  @ApiOkResponse({ type: MemberOverridesDto, description: 'All of them.' })
  @ReturnsEtag()
  @Get()
  async listPermissionOverrides(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('userId', ParseIdPipe) userId: string,
  ): Promise<MemberOverridesDto> {
    mustAdminister(caller, organizationId);
    return MemberOverridesDto.of(await this.overrides.list(organizationId, userId));
  }

  @ApiOperation({
    summary: "Replace a member's overrides",
    description:
      'For owners and admins about others, and for owners alone about owners. What is not in the list no longer holds; an empty one removes all. Nothing is allowed, and no denial removed, that the caller may not do. With If-Match only over the list that was read, so that no denial is lost that somebody else has added.',
  })
  @ApiHeader({
    name: 'If-Match',
    required: false,
    // No `example`: Swagger UI would send it, and be refused.
    description: 'The ETag of the list that was read, such as `"v3"`: 412 when it is another one by now.',
    schema: { type: 'string' },
  })
  @ApiOkResponse({ type: MemberOverridesDto, description: 'They hold from the next request on.' })
  @problemResponses(400, 412)
  @ReturnsEtag()
  @Put()
  async replacePermissionOverrides(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('userId', ParseIdPipe) userId: string,
    @Body() body: OverridesDto,
    @IfMatch() ifVersion?: number,
  ): Promise<MemberOverridesDto> {
    mustAdminister(caller, organizationId);
    return MemberOverridesDto.of(
      await this.overrides.replace(organizationId, userId, body.overrides, ifVersion, actor),
    );
  }
}
