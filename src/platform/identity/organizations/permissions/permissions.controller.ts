import { Controller, Get, Param } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import { BEARER_AUTH, ParseIdPipe, problemResponses } from '#libs/http';
import { UserNotFound } from '../../identity.errors.js';
import { PathIds } from '../../dto/path-ids.js';
import { PermissionPayloadDto } from './permission-payload.dto.js';
import { Permissions } from './permissions.js';

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
