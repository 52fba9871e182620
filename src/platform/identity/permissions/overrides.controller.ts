import { Body, Controller, HttpCode, Param, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/auth';
import { CurrentCaller } from '#libs/auth';
import { BEARER_AUTH, ParseIdPipe, problemResponses } from '#libs/http';
import type { Actor } from '../audit/actor.js';
import { CurrentActor } from '../audit/actor.js';
import { mustAdminister } from '../organizations/standing.js';
import { OverridesDto } from './dto/overrides.dto.js';
import { Overrides } from './overrides.js';

@ApiTags('Permissions')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(400, 401, 403, 404)
@Controller('api/organizations/:organizationId/members/:userId/permission-overrides')
export class OverridesController {
  constructor(private readonly overrides: Overrides) {}

  @ApiOperation({
    summary: "Replace a member's overrides",
    description:
      'For owners and admins about others, and for owners alone about owners. What is not in the list no longer holds; an empty one removes all. Nothing is allowed, and no denial removed, that the caller may not do.',
  })
  @ApiNoContentResponse({ description: 'They hold from the next request on.' })
  @HttpCode(204)
  @Put()
  async replacePermissionOverrides(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('userId', ParseIdPipe) userId: string,
    @Body() body: OverridesDto,
  ): Promise<void> {
    mustAdminister(caller, organizationId);
    await this.overrides.replace(organizationId, userId, body.overrides, actor);
  }
}
