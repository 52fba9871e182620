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
  ReturnsEtag,
  ReturnsPage,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { actorOfCaller } from '../audit/gateway-audit.js';
import { organizationHeader } from '../access/documented-headers.js';
import { CredentialAccess } from './credential-access.js';
import { CredentialsStore } from './credentials.store.js';
import { CredentialDto, stateOf } from './credential.dto.js';
import { CreateCredentialDto, RotateCredentialDto, UpdateCredentialDto } from './credential-requests.dto.js';
import { acceptedProject, acceptedSecret, assertScope } from './request-secret.js';
import { CredentialNotFound, CredentialHasPayments, TooManyCredentials } from './credential.errors.js';

const CREDENTIAL_ID = { name: 'credentialId', format: 'uuid', schema: { type: 'string' } } as const;

/** Write-only: no response contains a secret. */
@ApiTags('Credentials')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@AcceptsApiKey()
@problemResponses(403)
@Controller('api/credentials')
export class CredentialsController {
  constructor(
    private readonly access: CredentialAccess,
    private readonly store: CredentialsStore,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'List credentials',
    description:
      'Of the organization, or with `scope=platform` the defaults of the platform, which platform administrators see. Calls use the enabled ones of a provider in the order of `position`; those of the platform only when the organization has none for the provider.',
  })
  @ApiQuery({ name: 'scope', required: false, enum: ['organization', 'platform'] })
  @ApiQuery({ name: 'provider', required: false, type: String, description: 'Only those of the provider.' })
  @organizationHeader(false)
  @problemResponses(400, OrganizationNotFound)
  @ReturnsPage(CredentialDto)
  @Get()
  listCredentials(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Query() query: ListQuery,
    @Query('scope') asked: unknown,
    @Query('provider') provider: unknown,
  ): Promise<Page<CredentialDto>> {
    const scope = asked === 'platform' ? 'platform' : 'organization';
    const organizationId = this.access.scopeOf(request, caller, scope, 'read');
    const only = typeof provider === 'string' && provider !== '' ? provider : null;
    const rows = (after: string | null, count: number) => this.store.list(organizationId, only, after, count);
    const list = `credentials:${organizationId}:${only}`;
    return this.pages.byId({ list }, query, rows);
  }

  @ApiOperation({
    summary: 'Add a credential',
    description:
      'The secret is encrypted and never returned. `scope=platform` needs the principal type platform_super_admin in the administrative organization.',
  })
  @ApiCreatedResponse({ type: CredentialDto, description: 'The new credential.' })
  @organizationHeader(false)
  @problemResponses(OrganizationNotFound, TooManyCredentials)
  @Idempotent()
  @ReturnsEtag(stateOf)
  @Post()
  createCredential(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Body() body: CreateCredentialDto,
  ): Promise<CredentialDto> {
    const { scope = 'organization', provider } = body;
    const organizationId = this.access.scopeOf(request, caller, scope, 'change');
    assertScope(provider, scope);
    const secret = acceptedSecret(provider, body.secret, organizationId !== null);
    const project = acceptedProject(provider, body.project, true);
    const { label, position, enabled } = body;
    const credential = { provider, organizationId, label, secret, project, position, enabled };
    return this.store.add(credential, actorOfCaller(caller));
  }

  @ApiOperation({ summary: 'Get a credential', description: 'Without its secret.' })
  @ApiOkResponse({ type: CredentialDto, description: 'The credential.' })
  @ApiParam(CREDENTIAL_ID)
  @problemResponses(CredentialNotFound)
  @ReturnsEtag(stateOf)
  @Get(':credentialId')
  getCredential(
    @CurrentCaller() caller: Caller,
    @Param('credentialId', ParseIdPipe) id: string,
  ): Promise<CredentialDto> {
    return this.access.find(caller, id, 'read');
  }

  @ApiOperation({
    summary: 'Change a credential',
    description: 'Label, position, project, and whether it is used. Fields that are not sent stay unchanged.',
  })
  @ApiOkResponse({ type: CredentialDto, description: 'The credential as it is now.' })
  @ApiParam(CREDENTIAL_ID)
  @problemResponses(CredentialNotFound, VersionIsStale)
  @ReturnsEtag(stateOf)
  @Patch(':credentialId')
  async updateCredential(
    @CurrentCaller() caller: Caller,
    @Param('credentialId', ParseIdPipe) id: string,
    @Body() body: UpdateCredentialDto,
    @IfMatch() ifVersion?: number,
  ): Promise<CredentialDto> {
    const { provider } = await this.access.find(caller, id, 'change');
    const project = acceptedProject(provider, body.project, false);
    const { label, position, enabled } = body;
    const given = Object.entries({ label, position, enabled, project }).filter(
      ([, value]) => value !== undefined,
    );
    const of = { id, ifVersion, actor: actorOfCaller(caller) };
    return this.store.change(of, Object.fromEntries(given));
  }

  @ApiOperation({
    summary: 'Replace the secret of a credential',
    description:
      'Calls that have begun end with the former secret, the next ones use the new one. Clears what was known of the former secret. With If-Match, the second of two concurrent rotations is refused.',
  })
  @ApiOkResponse({ type: CredentialDto, description: 'The credential as it is now.' })
  @ApiParam(CREDENTIAL_ID)
  @problemResponses(CredentialNotFound, VersionIsStale)
  @Idempotent()
  @HttpCode(200)
  @ReturnsEtag(stateOf)
  @Post(':credentialId/rotate')
  async rotateCredential(
    @CurrentCaller() caller: Caller,
    @Param('credentialId', ParseIdPipe) id: string,
    @Body() body: RotateCredentialDto,
    @IfMatch() ifVersion?: number,
  ): Promise<CredentialDto> {
    const row = await this.access.find(caller, id, 'change');
    const secret = acceptedSecret(row.provider, body.secret, row.organizationId !== null);
    return this.store.rotate({ id, ifVersion, actor: actorOfCaller(caller) }, secret);
  }

  @ApiOperation({
    summary: 'Delete a credential',
    description:
      'Erases the secret. Calls that have begun end with it; usage keeps naming the credential. 409 `credential_has_payments` for one with which payment objects were created: rotate or disable it.',
  })
  @ApiNoContentResponse({ description: 'The credential is deleted.' })
  @ApiParam(CREDENTIAL_ID)
  @problemResponses(CredentialNotFound, CredentialHasPayments, VersionIsStale)
  @HttpCode(204)
  @Delete(':credentialId')
  async deleteCredential(
    @CurrentCaller() caller: Caller,
    @Param('credentialId', ParseIdPipe) id: string,
    @IfMatch() ifVersion?: number,
  ): Promise<void> {
    await this.access.find(caller, id, 'change');
    await this.store.remove({ id, ifVersion, actor: actorOfCaller(caller) });
  }
}
