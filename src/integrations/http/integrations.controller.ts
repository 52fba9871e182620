import { Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { BrandId, BrandNotFound, type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import { BEARER_AUTH, Pages, ParseIdPipe, problemResponses, ReturnsPage } from '#libs/http';
import { BeginConnect } from '../commands/begin-connect.js';
import { CreateConnectStart } from '../commands/connect-starts.js';
import { DisconnectAccount } from '../commands/disconnect-account.js';
import { EndPlatformHold } from '../commands/end-platform-hold.js';
import { cookieFor } from './connect-cookie.js';
import { AuthorizationDto, ConnectQuery } from './dto/connect.dto.js';
import { IntegrationDto } from './dto/integration.dto.js';
import { IntegrationsPageDto, ListIntegrationsQuery } from './dto/list-integrations.dto.js';
import { IntegrationsConfig } from '../integrations.config.js';
import { PLATFORMS } from '../networks.js';
import { ListIntegrations, ListProviders } from '../queries/list-integrations.js';
import {
  ConnectionNotFound,
  PlatformNotFound,
  ProviderIsNotConnectable,
} from '../domain/integration.errors.js';

const ids = new ParseIdPipe();

@ApiTags('Integrations')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/integrations')
export class IntegrationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
    private readonly config: IntegrationsConfig,
  ) {}

  @Get()
  @RequiresScopes('accounts.read')
  @ApiOperation({
    operationId: 'listIntegrations',
    summary: 'List connected accounts',
    description:
      'Accounts connected to brands of the caller, oldest first, and how far each network can be used.',
  })
  @ApiHeader({ name: 'X-Brand-ID', required: false, description: 'Limits the list to one brand.' })
  @ReturnsPage(IntegrationDto, 'One page of connected accounts.', IntegrationsPageDto)
  @problemResponses(BrandNotFound)
  async list(
    @Query() query: ListIntegrationsQuery,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<IntegrationsPageDto> {
    const brandId = query.brandId ? ids.transform(query.brandId) : header;
    const filters = { brandId, platforms: query.platform, states: query.state };
    const scope = { list: 'integrations:id', filters };
    const load = (after: string | null, limit: number) =>
      this.queries.execute(new ListIntegrations({ caller, ...filters, after, limit }));
    const page = await this.pages.byId(scope, query, load, (integration) => IntegrationDto.of(integration));
    return { ...page, providers: await this.queries.execute(new ListProviders()) };
  }

  @Get(':platform/connect')
  @RequiresScopes('accounts.write')
  @ApiOperation({
    operationId: 'startConnect',
    summary: 'Connect an account by redirect',
    description:
      'Redirects the browser to the consent page of the network. Only the same browser can complete the sign-in. A browser that opens an address has no bearer token: it opens `startUrl` of the POST form.',
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiResponse({
    status: 302,
    description: 'Redirect to the consent page of the network.',
    headers: { Location: { description: 'The consent page.', schema: { type: 'string', format: 'uri' } } },
  })
  @problemResponses(400, PlatformNotFound, BrandNotFound, ProviderIsNotConnectable)
  async redirect(
    @Param('platform') platform: string,
    @Query() query: ConnectQuery,
    @CurrentCaller() caller: Caller,
    @Headers('authorization') authorization: string,
    @Res() response: Response,
  ): Promise<void> {
    const command = new BeginConnect({
      platform,
      brandId: ids.transform(query.brandId),
      caller,
      authorization,
    });
    response.redirect(302, await this.begin(command, response));
  }

  @Post(':platform/connect')
  @HttpCode(200)
  @RequiresScopes('accounts.write')
  @ApiOperation({
    operationId: 'createConnect',
    summary: 'Connect an account by address',
    description:
      'Returns the address of the consent page and sets a cookie. Only the browser with this cookie can complete the sign-in. 409 when the network cannot be connected.',
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiOkResponse({
    type: AuthorizationDto,
    description: 'The addresses of the consent page and of its browser form.',
  })
  @problemResponses(PlatformNotFound, BrandNotFound, ProviderIsNotConnectable)
  async address(
    @Param('platform') platform: string,
    @Query() query: ConnectQuery,
    @CurrentCaller() caller: Caller,
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuthorizationDto> {
    const brandId = ids.transform(query.brandId);
    const authorizationUrl = await this.begin(
      new BeginConnect({ platform, brandId, caller, authorization }),
      response,
    );
    const startUrl = authorization
      ? await this.commands.execute(new CreateConnectStart({ platform, brandId, authorization }))
      : null;
    return { authorizationUrl, startUrl };
  }

  @Delete(':platform/hold')
  @HttpCode(204)
  @RequiresScopes('accounts.write')
  @ApiOperation({
    operationId: 'endPlatformHold',
    summary: 'End the hold of a network',
    description:
      'A network that refuses the service itself, as when its usage is capped, is held for all organizations of the installation, until a post that probes it succeeds. This ends the hold at once: workers publish the posts that it kept back within seconds. For owners and admins (people only) of the organization in `OPERATOR_ORGANIZATION_ID`. Without a hold nothing happens.',
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiResponse({ status: 204, description: 'The network is not held.' })
  @problemResponses(PlatformNotFound)
  async endHold(@Param('platform') platform: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.commands.execute(new EndPlatformHold({ platform, caller }));
  }

  @Delete(':connectionId')
  @HttpCode(204)
  @RequiresScopes('accounts.write')
  @ApiOperation({
    operationId: 'disconnectAccount',
    summary: 'Disconnect an account',
    description: 'Erases the stored tokens and profile and revokes the grant at the network.',
  })
  @ApiParam({ name: 'connectionId', schema: { type: 'string', format: 'uuid' } })
  @ApiResponse({ status: 204, description: 'Disconnected.' })
  @problemResponses(ConnectionNotFound)
  async disconnect(
    @Param('connectionId', ParseIdPipe) connectionId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.commands.execute(new DisconnectAccount({ connectionId, caller }));
  }

  private async begin(command: BeginConnect, response: Response): Promise<string> {
    const start = await this.commands.execute(command);
    const { name, value, options } = cookieFor(start.state, start.cookie, this.config.publicUrl);
    response.cookie(name, value, options);
    return start.authorizationUrl;
  }
}
