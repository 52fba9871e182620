import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/auth';
import { CurrentCaller } from '#libs/auth';
import type { Page } from '#libs/http';
import { BEARER_AUTH, Idempotent, ListQuery, ParseIdPipe, problemResponses, ReturnsPage } from '#libs/http';
import type { Actor } from '../audit/actor.js';
import { CurrentActor } from '../audit/actor.js';
import { DEFAULT_OVERLAP_MINUTES, GrantRequestDto, RotateDto } from '../grants/grant-request.dto.js';
import { IdPages } from '../id-pages.js';
import { PathIds } from '../path-ids.js';
import { mustAdminister } from '../organizations/organization-access.js';
import { NewServicePrincipalDto, ServicePrincipalDto } from './dto/service-principal.dto.js';
import { ServicePrincipals } from './service-principals.js';

@ApiTags('Service principals')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(401, 403, 404)
@PathIds('organizationId')
@Controller('api/organizations/:organizationId/service-principals')
export class ServicePrincipalsController {
  constructor(
    private readonly principals: ServicePrincipals,
    private readonly pages: IdPages,
  ) {}

  @ApiOperation({
    summary: 'Create a service principal',
    description:
      'For owners and admins who are people. Where the service has `api_keys.write` in its catalog, this takes that permission too, as disabling and rotating do. The token is in this answer and nowhere else. What it creates is a suggestion until a person approves it.',
  })
  @ApiCreatedResponse({ type: NewServicePrincipalDto, description: 'The principal, with its new token.' })
  @problemResponses(400, 409)
  @Post()
  async createServicePrincipal(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Body() body: GrantRequestDto,
  ): Promise<NewServicePrincipalDto> {
    mustAdminister(caller, organizationId);
    return NewServicePrincipalDto.ofNew(await this.principals.create(organizationId, body, actor));
  }

  @ApiOperation({
    summary: 'List service principals',
    description: 'For owners and admins; disabled ones too.',
  })
  @ReturnsPage(ServicePrincipalDto)
  @Get()
  listServicePrincipals(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<ServicePrincipalDto>> {
    mustAdminister(caller, organizationId);
    const rows = (after: string | null, count: number) => this.principals.list(organizationId, after, count);
    return this.pages.page(`principals:${organizationId}`, query, rows, (row) => ServicePrincipalDto.of(row));
  }

  @ApiOperation({
    summary: 'Disable a service principal',
    description:
      'For good: the next request with any of its tokens is refused. Doing it again changes nothing.',
  })
  @ApiOkResponse({ type: ServicePrincipalDto, description: 'The principal, which works no more.' })
  @PathIds('principalId')
  @HttpCode(200)
  @Idempotent()
  @Post(':principalId/disable')
  async disableServicePrincipal(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('principalId', ParseIdPipe) principalId: string,
  ): Promise<ServicePrincipalDto> {
    mustAdminister(caller, organizationId);
    return ServicePrincipalDto.of(await this.principals.disable(organizationId, principalId, actor));
  }

  @ApiOperation({
    summary: 'Rotate the token of a service principal',
    description:
      'A new token, for who could create the principal. It stops working when the old one would have; the old ones go on for the overlap. 404 also when all of them have expired.',
  })
  @ApiCreatedResponse({ type: NewServicePrincipalDto, description: 'The principal, with its new token.' })
  @problemResponses(400)
  @PathIds('principalId')
  @Post(':principalId/rotate')
  async rotateServicePrincipal(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('principalId', ParseIdPipe) principalId: string,
    @Body() { overlapMinutes = DEFAULT_OVERLAP_MINUTES }: RotateDto,
  ): Promise<NewServicePrincipalDto> {
    mustAdminister(caller, organizationId);
    const rotated = await this.principals.rotate(organizationId, principalId, overlapMinutes, actor);
    return NewServicePrincipalDto.ofNew(rotated);
  }
}
