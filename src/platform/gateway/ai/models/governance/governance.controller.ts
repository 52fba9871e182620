import { Controller, Get, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { AcceptsApiKey, type Caller, CurrentCaller } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses } from '#libs/http';
import { organizationHeader } from '../../../access/documented-headers.js';
import { organizationOfRequest } from '../../../access/organization-of-request.js';
import { PLATFORM_ADMINS } from '../../../access/platform-administrators.js';
import { GovernanceDto } from './governance.dto.js';
import { Governance } from './governance.js';

@ApiTags('Models')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@AcceptsApiKey()
@organizationHeader(false)
@Controller('api/models/governance')
export class GovernanceController {
  constructor(private readonly governance: Governance) {}

  @Get()
  @ApiOperation({
    operationId: 'getModelGovernance',
    summary: 'How models are used',
    description:
      'With the scope `org.admin`: the preferences of the organization, its usage in the last 30 days, the life of the models that it names or uses, those without a price, models that it could use, and the health of the sources. Platform administrators without X-Organization-Id see the same of the platform with all organizations.',
  })
  @ApiOkResponse({ type: GovernanceDto, description: 'Seven sections.' })
  @problemResponses(400, 403, 404)
  getGovernance(@CurrentCaller() caller: Caller, @Req() request: Request): Promise<GovernanceDto> {
    const isPlatform =
      request.header('x-organization-id') === undefined && caller.isPlatformAdministrator(PLATFORM_ADMINS);
    const organizationId = isPlatform ? null : organizationOfRequest(request, caller, 'org.admin');
    return this.governance.view(organizationId);
  }
}
