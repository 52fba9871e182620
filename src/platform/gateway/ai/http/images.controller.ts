import { Body, Controller, HttpCode, Post, Res, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IdempotentLongWork } from '#libs/http';
import { AiCallers } from '../../access/callers.js';
import { type AiCaller, AiRequests } from '../calls/admit/ai-requests.js';
import { UnaryCalls } from '../calls/call/unary-calls.js';
import { imageOperation } from '../calls/call/operations.js';
import { AiResponses, attemptsHeader } from './ai-responses.js';
import { CurrentAiCaller } from './current-ai-caller.js';
import { ImageRequestDto, ImagesDto } from './dto/image.dto.js';
import { ReserveImages } from './reserve-images.interceptor.js';
import { Slots } from '../calls/admit/slots.js';
import { withAttempts } from './with-attempts.js';

@ApiTags('AI')
@Controller('api/ai/images')
export class ImagesController {
  constructor(
    private readonly requests: AiRequests,
    private readonly calls: UnaryCalls,
    private readonly slots: Slots,
  ) {}

  @ApiOperation({
    operationId: 'generateImages',
    summary: 'Draw images from a prompt',
    description:
      'By the model of the request or the default of the organization, then by the fallback chain: a rate limit of a provider continues there. Every image is a whole file. Without an Idempotency-Key the call ends when the caller leaves; with one it is finished and its response kept for 24 hours.',
  })
  @ApiOkResponse({ type: ImagesDto, description: 'The images.', headers: attemptsHeader })
  @AiResponses()
  @IdempotentLongWork({ subject: 'images' })
  @UseInterceptors(ReserveImages)
  @AiCallers('images')
  @HttpCode(200)
  @Post()
  async generate(
    @CurrentAiCaller() caller: AiCaller,
    @Body() body: ImageRequestDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImagesDto> {
    await using scope = new AsyncDisposableStack();
    scope.use(this.slots.files(caller.attribution.organizationId));
    const call = await this.requests.open(scope, caller, 'images', body);
    const operation = imageOperation(ImageRequestDto.toRequest(body));
    const answer = await withAttempts(response, () => this.calls.run(call, operation));
    return ImagesDto.of(call.requestId, answer);
  }
}
