import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '#libs/auth';
import { RateLimit, problemResponses } from '#libs/http';
import { ConfirmConnectStart } from '../commands/connect-starts.js';
import { FormIsOfAnotherSite } from '../domain/integration.errors.js';
import { IntegrationsConfig } from '../integrations.config.js';
import { PLATFORMS } from '../networks.js';
import { GetConnectStart } from '../queries/get-connect-start.js';
import { cookieFor } from './connect-cookie.js';
import { askToConfirm, continueTo } from './connect-start.page.js';
import { ConnectStartDto } from './dto/connect.dto.js';
import { problemOrPage, showNothingConnected } from './result.page.js';

/** Tokens have 256 random bits; the limit is for load. */
const STARTS = { name: 'connect-starts', limit: 60, windowSeconds: 60, by: 'address' } as const;

const PAGE = { content: { 'text/html': { schema: { type: 'string' } } } } as const;

/** The page that a person opens at `startUrl`: a browser that opens an address has no bearer token. */
@ApiTags('Integrations')
@Public()
@Controller('api/integrations/:platform/connect/start')
export class ConnectStartController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: IntegrationsConfig,
  ) {}

  @Get()
  @RateLimit(STARTS)
  @ApiOperation({
    operationId: 'showConnectStart',
    summary: 'Ask whether to connect an account',
    description:
      'A page for the browser that opens `startUrl`. Names the person who created the address, the organization and the brand. Changes nothing.',
    security: [],
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiQuery({
    name: 'startToken',
    required: false,
    description: 'From `startUrl`.',
    schema: { type: 'string' },
  })
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A page with a form.', ...PAGE })
  @ApiResponse({ status: 400, ...problemOrPage(400) })
  @ApiResponse({ status: 503, ...problemOrPage(503) })
  async show(
    @Param('platform') platform: string,
    @Query('startToken') startToken: unknown,
    @Res() response: Response,
  ): Promise<void> {
    response.setHeader('X-Robots-Tag', 'noindex');
    try {
      const token = tokenIn(startToken);
      const start = await this.queries.execute(new GetConnectStart({ platform, startToken: token }));
      const { pathname } = new URL(this.config.publicUrl);
      const action = `${pathname.replace(/\/$/, '')}/api/integrations/${platform}/connect/start`;
      askToConfirm(response, { ...start, startToken: token, action });
    } catch (error) {
      showNothingConnected(response, error);
    }
  }

  @Post()
  @HttpCode(200)
  @RateLimit(STARTS)
  @ApiOperation({
    operationId: 'confirmConnectStart',
    summary: 'Confirm that an account is connected',
    description:
      'Sent by the form of the page, from the same origin. Uses the token up, sets a cookie and sends the browser to the consent page of the network. Only the same browser can complete the sign-in.',
    security: [],
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: ConnectStartDto })
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'A page that continues to the network.', ...PAGE })
  @ApiResponse({ status: 400, ...problemOrPage(400) })
  @ApiResponse({ status: 403, ...problemOrPage(403) })
  @ApiResponse({ status: 409, ...problemOrPage(409) })
  @ApiResponse({ status: 503, ...problemOrPage(503) })
  @problemResponses(415)
  async confirm(
    @Param('platform') platform: string,
    @Body('startToken') startToken: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      this.mustBeOwnForm(request);
      const command = new ConfirmConnectStart({ platform, startToken: tokenIn(startToken) });
      const { displayName, start } = await this.commands.execute(command);
      const { name, value, options } = cookieFor(start.state, start.cookie, this.config.publicUrl);
      response.cookie(name, value, options);
      continueTo(response, displayName, start.authorizationUrl);
    } catch (error) {
      showNothingConnected(response, error);
    }
  }

  /** Browsers send `Origin` with each form, and `Sec-Fetch-Site` to secure addresses. */
  private mustBeOwnForm({ headers }: Request): void {
    const { origin, 'sec-fetch-site': site = 'same-origin' } = headers;
    if (origin !== new URL(this.config.publicUrl).origin || site !== 'same-origin')
      throw new FormIsOfAnotherSite();
  }
}

/** A field that is repeated or missing is no token. */
const tokenIn = (field: unknown): string => (typeof field === 'string' ? field : '');
