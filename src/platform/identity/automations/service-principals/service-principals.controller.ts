import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import {
  BEARER_AUTH,
  Idempotent,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsPage,
} from '#libs/http';
import { type Actor, CurrentActor } from '../../access/actor.js';
import { DEFAULT_OVERLAP_MINUTES, GrantRequestDto, RotateDto } from '../grants/grant-request.dto.js';
import { PathIds } from '../../dto/path-ids.js';
import { mustAdminister } from '../../access/organization-access.js';
import { NewServicePrincipalDto, ServicePrincipalDto } from './service-principal.dto.js';
import { ServicePrincipals } from './service-principals.js';
import { TooManyServicePrincipals } from '../../identity.errors.js';

@ApiTags('Service principals')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(403, 404)
@PathIds('organizationId')
@Controller('api/organizations/:organizationId/service-principals')
export class ServicePrincipalsController {
  constructor(
    private readonly principals: ServicePrincipals,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'Create a service principal',
    description:
      'For owners and admins who are people. If the catalog of the service contains `api_keys.write`, the caller needs that permission too, also to disable and rotate. Only this response contains the token. Posts that it creates are suggestions until a person approves them.',
  })
  @ApiCreatedResponse({ type: NewServicePrincipalDto, description: 'The principal, with its new token.' })
  @problemResponses(TooManyServicePrincipals)
  @Post()
  async createServicePrincipal(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Body() body: GrantRequestDto,
  ): Promise<NewServicePrincipalDto> {
    mustAdminister(caller, organizationId);
    return ServicePrincipalDto.of(await this.principals.create(organizationId, body, actor));
  }

  @ApiOperation({
    summary: 'List service principals',
    description: 'For owners and admins. Includes disabled ones.',
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
    return this.pages.byId({ list: `principals:${organizationId}` }, query, rows, (row) =>
      ServicePrincipalDto.of(row),
    );
  }

  @ApiOperation({
    summary: 'Disable a service principal',
    description:
      'Permanent: the next request with any of its tokens is refused. Repeating the request changes nothing.',
  })
  @ApiOkResponse({ type: ServicePrincipalDto, description: 'The disabled principal.' })
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
      'Issues a new token with the expiry of the old one, for callers who can create the principal. The old tokens expire after the overlap. 404 also when all of them have expired.',
  })
  @ApiCreatedResponse({ type: NewServicePrincipalDto, description: 'The principal, with its new token.' })
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
    return ServicePrincipalDto.of(rotated);
  }
}
