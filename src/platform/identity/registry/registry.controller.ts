import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BEARER_AUTH, problemResponses, WarnsOfParameters } from '#libs/http';
import {
  PermissionCatalogDto,
  RoleBundleCatalogDto,
  ScopeCatalogDto,
  ServicesQuery,
} from './dto/catalogs.dto.js';
import { ServiceDto, ServicesDto } from './dto/service.dto.js';
import { Registry } from './registry.js';

@ApiTags('Registry')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(401)
@Controller('api/services')
export class RegistryController {
  constructor(private readonly registry: Registry) {}

  @ApiOperation({ summary: 'List services', description: 'All of them, by slug; a registry is small.' })
  @WarnsOfParameters()
  @ApiOkResponse({ type: ServicesDto, description: 'All of them.' })
  @Get()
  async listServices(@Query() query: ServicesQuery): Promise<ServicesDto> {
    return { data: await this.registry.list(query) };
  }

  @ApiOperation({
    summary: 'Find a service',
    description: 'By slug, with the id it has in this installation.',
  })
  @ApiOkResponse({ type: ServiceDto, description: 'The service.' })
  @problemResponses(404)
  @Get(':slug')
  getService(@Param('slug') slug: string): Promise<ServiceDto> {
    return this.registry.get(slug);
  }

  @ApiOperation({ summary: 'Permission catalog', description: 'What can be permitted in the service.' })
  @WarnsOfParameters()
  @ApiOkResponse({ type: PermissionCatalogDto, description: 'All of them.' })
  @problemResponses(404)
  @Get(':slug/permissions')
  async listPermissions(@Param('slug') slug: string): Promise<PermissionCatalogDto> {
    return { data: await this.registry.permissions(slug) };
  }

  @ApiOperation({
    summary: 'API key scopes',
    description: 'What keys and service principals of it may be given.',
  })
  @WarnsOfParameters()
  @ApiOkResponse({ type: ScopeCatalogDto, description: 'All of them.' })
  @problemResponses(404)
  @Get(':slug/api-key-scopes')
  async listApiKeyScopes(@Param('slug') slug: string): Promise<ScopeCatalogDto> {
    return { data: await this.registry.apiKeyScopes(slug) };
  }

  @ApiOperation({
    summary: 'Default role bundles',
    description: 'What each role of an organization brings in it.',
  })
  @WarnsOfParameters()
  @ApiOkResponse({ type: RoleBundleCatalogDto, description: 'One for each role.' })
  @problemResponses(404)
  @Get(':slug/role-bundles')
  async listRoleBundles(@Param('slug') slug: string): Promise<RoleBundleCatalogDto> {
    return { data: await this.registry.roleBundles(slug) };
  }
}
