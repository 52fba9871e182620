import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import { BEARER_AUTH, IfMatch, ParseIdPipe, problemResponses, ReturnsEtag } from '#libs/http';
import { type Actor, CurrentActor } from '../../access/actor.js';
import { mustAdminister } from '../../access/organization-access.js';
import { PathIds } from '../../dto/path-ids.js';
import { UserNotFound } from '../../identity.errors.js';
import { MemberOverridesDto, OverridesDto } from './overrides.dto.js';
import { Overrides } from './overrides.js';
import { PermissionPayloadDto } from './permission-payload.dto.js';
import { Permissions } from './permissions.js';

@ApiTags('Permissions')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(403, 404)
@PathIds('organizationId', 'userId')
@Controller('api/organizations/:organizationId/members/:userId/permission-overrides')
export class OverridesController {
  constructor(private readonly overrides: Overrides) {}

  @ApiOperation({
    summary: "A member's overrides",
    description:
      'For owners and admins. GET /api/users/{userId}/permissions shows the resulting permissions.',
  })
  @ApiOkResponse({ type: MemberOverridesDto, description: 'All overrides of the member.' })
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
      'For owners and admins, for other members only; only owners change overrides of owners. Overrides that are not in the list are removed; an empty list removes all. The caller must have every permission that the change allows, also by removing a denial. If-Match prevents lost updates: the change applies only to the version that was read.',
  })
  @ApiHeader({
    name: 'If-Match',
    required: false,
    // No `example`, because Swagger UI would send it and get 412.
    description: 'The ETag of the list that was read, such as `"v3"`. 412 when the list has changed since.',
    schema: { type: 'string' },
  })
  @ApiOkResponse({
    type: MemberOverridesDto,
    description: 'The new overrides, effective with the next request.',
  })
  @problemResponses(412)
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

@ApiTags('Permissions')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(404)
@Controller('api/users')
export class PermissionsController {
  constructor(private readonly permissions: Permissions) {}

  @ApiOperation({
    summary: "A user's evaluated permissions",
    description:
      'The caller’s own permissions in all organizations. For owners and admins also those of a member in the organizations they administer. All others get 404, whether the user exists or not.',
  })
  @ApiOkResponse({
    type: PermissionPayloadDto,
    description: 'The permissions of the user and their sources.',
  })
  @PathIds('userId')
  @Get(':userId/permissions')
  async getUserPermissions(
    @CurrentCaller() caller: Caller,
    @Param('userId', ParseIdPipe) userId: string,
  ): Promise<PermissionPayloadDto> {
    const payload = await this.permissions.of(userId, caller.id);
    if (!payload) throw new UserNotFound();
    return payload;
  }
}
