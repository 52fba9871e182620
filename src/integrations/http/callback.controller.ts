import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiParam, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '#libs/auth';
import { problemResponses } from '#libs/http';
import { isolated } from '#libs/pages';
import { CompleteConnect, type Connected } from '../commands/complete-connect.js';
import { cookieIn } from './connect-cookie.js';
import { CallbackQuery } from './dto/connect.dto.js';
import { IntegrationsConfig } from '../integrations.config.js';
import { refusalIn } from '../sign-in/authorization-refusal.js';
import { PLATFORMS } from '../networks.js';
import { problemOrPage, type Result, showNothingConnected, showPage } from './result.page.js';
import { PlatformNotFound } from '../domain/integration.errors.js';

const PAGE = {
  description: 'A page that names the connected account.',
  content: { 'text/html': { schema: { type: 'string' } } },
} as const;

@ApiTags('Integrations')
@Controller('api/integrations')
export class CallbackController {
  constructor(
    private readonly commands: CommandBus,
    private readonly config: IntegrationsConfig,
  ) {}

  @Get(':platform/callback')
  @Public()
  @ApiOperation({
    operationId: 'completeConnect',
    summary: 'Return from a network',
    description:
      'Redirect target of a network after a person allowed or denied access to an account. Requires the single-use state and the browser that started the sign-in.',
    security: [],
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, ...PAGE })
  @problemResponses(PlatformNotFound)
  @ApiResponse({ status: 400, ...problemOrPage(400) })
  @ApiResponse({ status: 409, ...problemOrPage(409) })
  @ApiResponse({ status: 503, ...problemOrPage(503) })
  async callback(
    @Param('platform') platform: string,
    @Query() query: CallbackQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { state, code } = query;
    const cookie = cookieIn(request.headers.cookie, state, this.config.publicUrl);
    try {
      const answer = { platform, state, code, refusal: refusalIn(query), cookie };
      const connected = await this.commands.execute(new CompleteConnect(answer));
      showPage(response, 200, resultOf(connected));
    } catch (error) {
      showNothingConnected(response, error);
    }
  }
}

function resultOf({ usernames, displayName, brandName }: Connected): Result {
  const accounts = new Intl.ListFormat('en').format(usernames.map((username) => isolated(`@${username}`)));
  const brand = isolated(brandName);
  return {
    title: `${accounts} on ${displayName} ${usernames.length === 1 ? 'is' : 'are'} connected to ${brand}`,
    sentence: `Posts of ${brand} can now be published to ${accounts} on ${displayName}.`,
    next: 'You can close this window and go back to where you started.',
  };
}
