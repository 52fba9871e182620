import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BEARER_AUTH, problemResponses, WarnsOfParameters } from '#libs/http';
import {
  PermissionCatalogDto,
  RoleBundleCatalogDto,
  ScopeCatalogDto,
  ServiceDto,
  ServicesDto,
  ServicesQuery,
} from './registry.dto.js';
import { Registry } from './registry.js';

@ApiTags('Registry')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(401)
@Controller('api/services')
export class RegistryController {
  constructor(private readonly registry: Registry) {}

  @ApiOperation({ summary: 'List services', description: 'All services in order of slug, without pages.' })
  @WarnsOfParameters()
  @ApiOkResponse({ type: ServicesDto, description: 'All services.' })
  @Get()
  async listServices(@Query() query: ServicesQuery): Promise<ServicesDto> {
    return { data: await this.registry.list(query) };
  }

  @ApiOperation({
    summary: 'Find a service',
    description: 'Finds a service by its slug. The id is specific to this installation.',
  })
  @ApiOkResponse({ type: ServiceDto, description: 'The service.' })
  @problemResponses(404)
  @Get(':slug')
  getService(@Param('slug') slug: string): Promise<ServiceDto> {
    return this.registry.get(slug);
  }

  @ApiOperation({ summary: 'Permission catalog', description: 'All permissions of the service.' })
  @WarnsOfParameters()
  @ApiOkResponse({ type: PermissionCatalogDto, description: 'All permissions.' })
  @problemResponses(404)
  @Get(':slug/permissions')
  async listPermissions(@Param('slug') slug: string): Promise<PermissionCatalogDto> {
    return { data: await this.registry.permissions(slug) };
  }

  @ApiOperation({
    summary: 'API key scopes',
    description: 'The scopes that keys and service principals of the service can have.',
  })
  @WarnsOfParameters()
  @ApiOkResponse({ type: ScopeCatalogDto, description: 'All scopes.' })
  @problemResponses(404)
  @Get(':slug/api-key-scopes')
  async listApiKeyScopes(@Param('slug') slug: string): Promise<ScopeCatalogDto> {
    return { data: await this.registry.apiKeyScopes(slug) };
  }

  @ApiOperation({
    summary: 'Default role bundles',
    description: 'The permissions of each organization role in the service.',
  })
  @WarnsOfParameters()
  @ApiOkResponse({ type: RoleBundleCatalogDto, description: 'One for each role.' })
  @problemResponses(404)
  @Get(':slug/role-bundles')
  async listRoleBundles(@Param('slug') slug: string): Promise<RoleBundleCatalogDto> {
    return { data: await this.registry.roleBundles(slug) };
  }
}
