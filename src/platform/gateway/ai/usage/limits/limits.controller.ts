import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { AcceptsApiKey, type Caller, CurrentCaller, OrganizationNotFound } from '#libs/auth';
import {
  API_KEY_AUTH,
  BEARER_AUTH,
  Idempotent,
  IfMatch,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  RateLimit,
  ReturnsEtag,
  ReturnsPage,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { organizationHeader } from '../../../access/documented-headers.js';
import { LimitDto, levelOf } from './limit.dto.js';
import { CreateLimitDto, UpdateLimitDto } from './limit-requests.dto.js';
import { LimitAccess } from './limit-access.js';
import { Limits } from './limits.js';
import { LimitsStore } from './limits.store.js';
import { SpendLimitNotFound, SpendLimitExists, TooManySpendLimits } from './limits.errors.js';

/** Each adds up what its window holds. */
const NEW_LIMITS = { name: 'new-spend-limits', limit: 20, windowSeconds: 60 } as const;
const LIMIT_ID = { name: 'limitId', format: 'uuid', schema: { type: 'string' } } as const;

@ApiTags('Limits')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@AcceptsApiKey()
@problemResponses(403)
@Controller('api/limits')
export class LimitsController {
  constructor(
    private readonly access: LimitAccess,
    private readonly store: LimitsStore,
    private readonly limits: Limits,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    operationId: 'listSpendLimits',
    summary: 'List limits of spend',
    description:
      'Of the organization and of applications in it, those included that the platform set for the organization. With `scope=platform` all that the platform set, for platform administrators. Needs the scope `limits.manage`.',
  })
  @ApiQuery({ name: 'scope', required: false, enum: ['organization', 'platform'] })
  @organizationHeader(false)
  @problemResponses(400, OrganizationNotFound)
  @ReturnsPage(LimitDto)
  @Get()
  listLimits(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Query() query: ListQuery,
    @Query('scope') scope: unknown,
  ): Promise<Page<LimitDto>> {
    const organizationId = this.access.scopeOf(request, caller, scope === 'platform');
    const rows = (after: string | null, count: number) => this.store.list(organizationId, after, count);
    return this.pages.byId({ list: `limits:${organizationId}` }, query, rows, (limit) => LimitDto.of(limit));
  }

  @ApiOperation({
    operationId: 'createSpendLimit',
    summary: 'Set a limit of spend',
    description:
      'It counts what was spent in its period before. A call reserves what it may cost from every hard limit of its scopes, or is refused (429 `spend_limit_reached`) before any provider is called; it reserves at most half of a limit (422 `spend_estimate_too_large`). Models without a price are refused while a hard limit guards (422 `model_unpriced`). An organization can have 100 limits (409 `too_many_spend_limits`).\n\nWith `scopeType` `organization` and a `scopeValue` the platform limits that organization, in addition to the limit that the organization sets for itself: for platform administrators. The organization sees the limit, and cannot change or delete it. An application or organization that identity does not know is refused (422 `application_unknown`, `organization_unknown`); 503 while identity does not answer.',
  })
  @ApiCreatedResponse({ type: LimitDto, description: 'The new limit.' })
  @organizationHeader(false)
  @problemResponses(OrganizationNotFound, SpendLimitExists, TooManySpendLimits)
  @RateLimit(NEW_LIMITS)
  @Idempotent()
  @ReturnsEtag(levelOf)
  @Post()
  async createLimit(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Body() body: CreateLimitDto,
  ): Promise<LimitDto> {
    const organizationId = this.access.scopeOf(request, caller, CreateLimitDto.isOfPlatform(body));
    const limit = CreateLimitDto.limitOf(body, organizationId);
    await this.access.assertKnown(limit);
    return LimitDto.of(await this.limits.create(limit, caller));
  }

  @ApiOperation({
    operationId: 'getSpendLimit',
    summary: 'Get a limit of spend',
    description: 'With what is reserved and spent in its period now. Needs the scope `limits.manage`.',
  })
  @ApiOkResponse({ type: LimitDto, description: 'The limit, and what its period counts now.' })
  @ApiParam(LIMIT_ID)
  @problemResponses(SpendLimitNotFound)
  @ReturnsEtag(levelOf)
  @Get(':limitId')
  async getLimit(
    @CurrentCaller() caller: Caller,
    @Param('limitId', ParseIdPipe) id: string,
  ): Promise<LimitDto> {
    return LimitDto.of(await this.access.find(caller, id));
  }

  @ApiOperation({
    operationId: 'updateSpendLimit',
    summary: 'Change a limit of spend',
    description:
      'Applies to the next call. Amounts that are not sent stay unchanged. Limits that the platform set are changed by its administrators only (403 `spend_limit_of_platform`).',
  })
  @ApiOkResponse({ type: LimitDto, description: 'The limit as it is now.' })
  @ApiParam(LIMIT_ID)
  @problemResponses(SpendLimitNotFound, VersionIsStale)
  @ReturnsEtag(levelOf)
  @Patch(':limitId')
  async updateLimit(
    @CurrentCaller() caller: Caller,
    @Param('limitId', ParseIdPipe) id: string,
    @Body() body: UpdateLimitDto,
    @IfMatch() ifVersion?: number,
  ): Promise<LimitDto> {
    const limit = await this.access.findToChange(caller, id);
    const amounts = UpdateLimitDto.amountsOf(body, limit);
    return LimitDto.of(await this.limits.change(limit, amounts, caller, ifVersion));
  }

  @ApiOperation({
    operationId: 'deleteSpendLimit',
    summary: 'Delete a limit of spend',
    description:
      'The next call is no longer checked against it. Its usage stays in the reports. Limits that the platform set are deleted by its administrators only (403 `spend_limit_of_platform`).',
  })
  @ApiNoContentResponse({ description: 'The limit is deleted.' })
  @ApiParam(LIMIT_ID)
  @problemResponses(SpendLimitNotFound, VersionIsStale)
  @HttpCode(204)
  @Delete(':limitId')
  async deleteLimit(
    @CurrentCaller() caller: Caller,
    @Param('limitId', ParseIdPipe) id: string,
    @IfMatch() ifVersion?: number,
  ): Promise<void> {
    await this.limits.delete(await this.access.findToChange(caller, id), caller, ifVersion);
  }
}
