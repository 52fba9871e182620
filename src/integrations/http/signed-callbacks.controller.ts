import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '#libs/auth';
import { RateLimit, prefersPage, problemResponses } from '#libs/http';
import { AcceptDeauthorization } from '../commands/accept-deauthorization.js';
import { DeletePersonalData } from '../commands/delete-personal-data.js';
import {
  DataDeletionNotFound,
  NetworkSendsNoCallbacks,
  PlatformNotFound,
  ProviderIsNotConnectable,
  SignatureIsInvalid,
  SignedRequestHasExpired,
  SignedRequestIsMalformed,
} from '../domain/integration.errors.js';
import { IntegrationsConfig } from '../integrations.config.js';
import { PLATFORMS } from '../networks.js';
import { type DataDeletion, GetDataDeletion } from '../queries/get-data-deletion.js';
import { problemOrPage, showPage } from './result.page.js';
import { DataDeletionDto, DataDeletionRequestedDto, SignedRequestDto } from './dto/signed-callback.dto.js';

/** A network sends them from few addresses. */
const CALLBACKS = { name: 'signed-callbacks', limit: 300, windowSeconds: 60, by: 'address' } as const;
/** Codes have 128 random bits; the limit is for load. */
const STATUS_PAGES = { name: 'data-deletion-status', limit: 60, windowSeconds: 60, by: 'address' } as const;
const REFUSALS = [
  PlatformNotFound,
  NetworkSendsNoCallbacks,
  ProviderIsNotConnectable,
  SignatureIsInvalid,
  SignedRequestHasExpired,
];
const FORM = 'application/x-www-form-urlencoded';

/** Requests that a network signs, without a caller of this product. */
@ApiTags('Integrations')
@ApiExtraModels(DataDeletionDto)
@Public()
@Controller('api/integrations')
export class SignedCallbacksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: IntegrationsConfig,
  ) {}

  @Post(':platform/deauthorize')
  @HttpCode(200)
  @RateLimit(CALLBACKS)
  @ApiOperation({
    operationId: 'acceptDeauthorization',
    summary: 'A person removed this service at a network',
    description:
      'Sent by the network. The connections of the person in every brand lose their tokens and have to be connected again. A repeated request changes nothing. 403 when the signature does not match or the request is too old.',
    security: [],
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiConsumes(FORM)
  @ApiBody({ type: SignedRequestDto })
  @ApiOkResponse({ description: 'Accepted.' })
  @problemResponses(...REFUSALS)
  async deauthorize(
    @Param('platform') platform: string,
    @Body('signed_request') signedRequest: unknown,
  ): Promise<void> {
    await this.commands.execute(
      new AcceptDeauthorization({ platform, signedRequest: textOf(signedRequest) }),
    );
  }

  @Post(':platform/data-deletion')
  @HttpCode(200)
  @RateLimit(CALLBACKS)
  @ApiOperation({
    operationId: 'deletePersonalData',
    summary: 'A person wants their data deleted',
    description:
      'Sent by the network. Deletes the tokens, profiles and ids of the person in every brand, at once. A repeated request returns the same code. 403 when the signature does not match or the request is too old.',
    security: [],
  })
  @ApiParam({ name: 'platform', enum: PLATFORMS, enumName: 'Platform' })
  @ApiConsumes(FORM)
  @ApiBody({ type: SignedRequestDto })
  @ApiOkResponse({
    type: DataDeletionRequestedDto,
    description: 'Deleted. Where a person can read about it.',
  })
  @problemResponses(...REFUSALS)
  async deleteData(
    @Param('platform') platform: string,
    @Body('signed_request') signedRequest: unknown,
  ): Promise<DataDeletionRequestedDto> {
    const command = new DeletePersonalData({ platform, signedRequest: textOf(signedRequest) });
    const { code } = await this.commands.execute(command);
    const url = `${this.config.publicUrl}/api/integrations/data-deletion/${code}`;
    return { url, confirmation_code: code };
  }

  @Get('data-deletion/:code')
  @RateLimit(STATUS_PAGES)
  @ApiOperation({
    operationId: 'getDataDeletion',
    summary: 'What became of a data deletion',
    description: 'A page for a person, or JSON when `Accept` prefers it. 404 for an unknown code.',
    security: [],
  })
  @ApiProduces('application/json', 'text/html')
  @ApiResponse({
    status: 200,
    description: 'The data is deleted.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(DataDeletionDto) } },
      'text/html': { schema: { type: 'string' } },
    },
  })
  @ApiResponse({ status: 404, ...problemOrPage(404) })
  @problemResponses(503)
  async status(
    @Param('code') code: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.setHeader('X-Robots-Tag', 'noindex');
    const isPage = prefersPage(request);
    try {
      const deletion = await this.queries.execute(new GetDataDeletion(code));
      if (isPage) showPage(response, 200, { title: 'Your data is deleted', sentence: sentenceFor(deletion) });
      else response.setHeader('Cache-Control', 'no-store').json(dtoOf(code, deletion));
    } catch (error) {
      if (!isPage || !(error instanceof DataDeletionNotFound)) throw error;
      showPage(response, 404, { title: 'Unknown code', sentence: error.message });
    }
  }
}

/** A field that is repeated or missing is not text. */
function textOf(field: unknown): string {
  if (typeof field !== 'string') throw new SignedRequestIsMalformed();
  return field;
}

const dtoOf = (code: string, { platform, receivedAt, connections }: DataDeletion): DataDeletionDto => ({
  code,
  state: 'completed',
  platform,
  completedAt: receivedAt,
  connections,
});

function sentenceFor({ displayName, receivedAt, connections }: DataDeletion): string {
  const at = new Date(receivedAt).toUTCString();
  if (connections === 0)
    return `${displayName} asked on ${at} to delete your data. This service had no data of an account of yours.`;
  const accounts = connections === 1 ? 'the connected account' : `${connections} connected accounts`;
  return (
    `${displayName} asked on ${at} to delete your data. Access tokens, names, pictures and ids of ${accounts} were deleted at once. ` +
    'This service keeps the time of the request and this code. Posts stay with the organizations that wrote them.'
  );
}
