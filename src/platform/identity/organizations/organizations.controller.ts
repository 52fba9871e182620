import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, OrganizationNotFound } from '#libs/auth';
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
import { type Actor, CurrentActor } from '../access/actor.js';
import { callerOrganization, mustBePerson } from '../access/organization-access.js';
import { PathIds } from '../dto/path-ids.js';
import { CreateOrganizationDto, OrganizationDto } from './organization.dto.js';
import { Organizations } from './organizations.js';

@ApiTags('Organizations')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(401)
@Controller('api/organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: Organizations,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'List my organizations',
    description: 'Only the organizations of the caller.',
  })
  @ReturnsPage(OrganizationDto)
  @Get()
  listOrganizations(
    @CurrentCaller() caller: Caller,
    @Query() query: ListQuery,
  ): Promise<Page<OrganizationDto>> {
    const rows = (after: string | null, count: number) =>
      this.organizations.list(caller.organizations, after, count);
    return this.pages.byId({ list: `organizations:${caller.id}` }, query, rows);
  }

  @ApiOperation({
    summary: 'Create an organization',
    description:
      'The caller becomes the owner. 409 when the caller already belongs to 50 organizations they created.',
  })
  @ApiCreatedResponse({ type: OrganizationDto, description: 'The new organization.' })
  @problemResponses(403)
  @Idempotent()
  @Post()
  createOrganization(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Body() body: CreateOrganizationDto,
  ): Promise<OrganizationDto> {
    mustBePerson(caller);
    const { name, developerWorkspace = false } = body;
    return this.organizations.create({ name, developerWorkspace }, { ...actor, id: caller.id });
  }

  @ApiOperation({ summary: 'Get an organization', description: '404 unless the caller belongs to it.' })
  @ApiOkResponse({ type: OrganizationDto, description: 'The organization.' })
  @PathIds('organizationId')
  @problemResponses(404)
  @Get(':organizationId')
  async getOrganization(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
  ): Promise<OrganizationDto> {
    const own = callerOrganization(caller, organizationId);
    const [row] = await this.organizations.list([own], null, 1);
    if (!row) throw new OrganizationNotFound();
    return row;
  }
}
