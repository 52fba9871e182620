import { Controller, Get, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, CurrentCaller } from '#libs/auth';
import { BEARER_AUTH, problemResponses } from '#libs/http';
import { organizationHeader } from '../../../access/documented-headers.js';
import { organizationNamedIn } from '../../../access/organization-of-request.js';
import { PLATFORM_SUPER_ADMINS } from '../../../access/platform-administrators.js';
import { LARGEST_PART } from '../ledger/reserve.sql.js';
import {
  type HardLimitOptionDto,
  HardLimitOptionsDto,
  optionsOfOrganization,
  optionsOfPlatform,
} from './limit-options.dto.js';
import { HardLimitOptionsAreForOwners } from './limits.errors.js';
import { LimitsStore } from './limits.store.js';

@ApiTags('Limits')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/limits/options')
export class LimitOptionsController {
  constructor(private readonly store: LimitsStore) {}

  @ApiOperation({
    operationId: 'getHardLimitOptions',
    summary: 'Options of hard limits',
    description:
      'Which hard limits can be set, their bounds, and those that are set. Owners see the options of their organizations; platform_super_admin of the administrative organization sees those of the platform, with the limits that the platform set for the organization of X-Organization-Id. Other roles are refused.',
  })
  @ApiOkResponse({ type: HardLimitOptionsDto, description: 'The options of the roles of the caller.' })
  @organizationHeader(false)
  @problemResponses(400, 403)
  @Get()
  async getOptions(@CurrentCaller() caller: Caller, @Req() request: Request): Promise<HardLimitOptionsDto> {
    const asked = organizationNamedIn(request) ?? null;
    const owned = caller.organizations
      .map(({ id }) => id)
      .filter((id) => caller.isOwnerOf(id) && (asked === null || asked === id));
    const isSuperAdmin = caller.isPlatformAdministrator(PLATFORM_SUPER_ADMINS);
    if (owned.length === 0 && !isSuperAdmin) throw new HardLimitOptionsAreForOwners();
    const options: HardLimitOptionDto[] = [];
    for (const organizationId of owned)
      options.push(...optionsOfOrganization(organizationId, await this.store.list(organizationId)));
    if (isSuperAdmin) options.push(...optionsOfPlatform(asked, await this.store.listOfPlatform(asked)));
    return {
      currency: 'USD',
      largestReservationPart: LARGEST_PART,
      roles: [
        ...(owned.length > 0 ? (['owner'] as const) : []),
        ...(isSuperAdmin ? (['super_admin'] as const) : []),
      ],
      options,
    };
  }
}
