import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import {
  BEARER_AUTH,
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
import { ApiKeys } from './api-keys.js';
import { ApiKeyDto, NewApiKeyDto } from './api-key.dto.js';
import { TooManyApiKeys } from '../../identity.errors.js';

@ApiTags('API keys')
@ApiBearerAuth(BEARER_AUTH)
@problemResponses(403, 404)
@PathIds('organizationId')
@Controller('api/organizations/:organizationId/api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeys,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'Create an API key',
    description:
      'For owners and admins who are people; keys cannot create keys. If the catalog of the service contains `api_keys.write`, the caller needs that permission too, also to revoke and rotate. Only this response contains the secret.',
  })
  @ApiCreatedResponse({ type: NewApiKeyDto, description: 'The new key, with its secret.' })
  @problemResponses(TooManyApiKeys)
  @Post()
  createApiKey(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Body() body: GrantRequestDto,
  ): Promise<NewApiKeyDto> {
    mustAdminister(caller, organizationId);
    return this.keys.create(organizationId, body, actor);
  }

  @ApiOperation({
    summary: 'List API keys',
    description: 'For owners and admins. Includes revoked and expired ones.',
  })
  @ReturnsPage(ApiKeyDto)
  @Get()
  listApiKeys(
    @CurrentCaller() caller: Caller,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<ApiKeyDto>> {
    mustAdminister(caller, organizationId);
    const rows = (after: string | null, count: number) => this.keys.list(organizationId, after, count);
    return this.pages.byId({ list: `api-keys:${organizationId}` }, query, rows);
  }

  @ApiOperation({
    summary: 'Revoke an API key',
    description:
      'The next request with the key is refused by every service. Repeating the request changes nothing.',
  })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The revoked key.' })
  @PathIds('keyId')
  @Delete(':keyId')
  revokeApiKey(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('keyId', ParseIdPipe) keyId: string,
  ): Promise<ApiKeyDto> {
    mustAdminister(caller, organizationId);
    return this.keys.revoke(organizationId, keyId, actor);
  }

  @ApiOperation({
    summary: 'Rotate an API key',
    description:
      'Issues a new key with the same grant, for callers who can create it. The old key expires after the overlap.',
  })
  @ApiCreatedResponse({ type: NewApiKeyDto, description: 'The new key, with its secret.' })
  @PathIds('keyId')
  @Post(':keyId/rotate')
  rotateApiKey(
    @CurrentCaller() caller: Caller,
    @CurrentActor() actor: Actor,
    @Param('organizationId', ParseIdPipe) organizationId: string,
    @Param('keyId', ParseIdPipe) keyId: string,
    @Body() { overlapMinutes = DEFAULT_OVERLAP_MINUTES }: RotateDto,
  ): Promise<NewApiKeyDto> {
    mustAdminister(caller, organizationId);
    return this.keys.rotate(organizationId, keyId, overlapMinutes, actor);
  }
}
