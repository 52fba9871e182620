import { Body, Controller, HttpCode, Post, Req, Res, StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { IdempotentLongWork } from '#libs/http';
import { AiCallers } from '../../access/callers.js';
import type { CompletionRequest } from '../providers/wires/requests.js';
import type { Completion } from '../providers/wires/wire.js';
import { StreamTakesNoKey } from '../ai.errors.js';
import { type AiCaller, AiRequests } from '../calls/admit/ai-requests.js';
import { SchemaChecks } from '../calls/call/schema-checks.js';
import { type AiOperation, UnaryCalls } from '../calls/call/unary-calls.js';
import { completionOperation } from '../calls/call/operations.js';
import { AiResponses, attemptsHeader } from './ai-responses.js';
import { CurrentAiCaller, hasKey } from './current-ai-caller.js';
import { CompletionRequestDto } from './dto/completion-request.dto.js';
import { CompletionDto } from './dto/completion.dto.js';
import { ReceiveLargeBody } from './receive-large-body.interceptor.js';
import { Slots } from '../calls/admit/slots.js';
import { withAttempts } from './with-attempts.js';
import { CompletionStreams } from './completion-streams.js';

const EVENTS =
  'Server-sent events: `delta` {text}, `tool` {index, id, name, arguments} in parts, and last `end` {finishReason and the fields of the JSON response without text} or `error` {a problem}. A stream without `end` or `error` was cut. Comments keep the connection alive.';

@ApiTags('AI')
@ApiExtraModels(CompletionDto)
@Controller('api/ai/completions')
export class CompletionsController {
  constructor(
    private readonly requests: AiRequests,
    private readonly calls: UnaryCalls,
    private readonly streams: CompletionStreams,
    private readonly slots: Slots,
    private readonly schemas: SchemaChecks,
  ) {}

  @ApiOperation({
    operationId: 'createCompletion',
    summary: 'Complete a conversation',
    description:
      'By the model of the request or the default of the organization, then by the fallback chain. With `stream: true` the response begins with the first content; until then another model can take over. Without an Idempotency-Key the call ends when the caller leaves; with one it is finished and its response kept for 24 hours. A body above 1 MiB needs a Content-Length and no content coding; it is read when the caller is known.',
  })
  @ApiOkResponse({
    description: 'The completion.',
    headers: attemptsHeader,
    content: {
      'application/json': { schema: { $ref: getSchemaPath(CompletionDto) } },
      'text/event-stream': { schema: { type: 'string', description: EVENTS } },
    },
  })
  @AiResponses()
  @IdempotentLongWork({ subject: 'completion' })
  @UseInterceptors(ReceiveLargeBody)
  @AiCallers('completions')
  @HttpCode(200)
  @Post()
  async complete(
    @CurrentAiCaller() caller: AiCaller,
    @Body() body: CompletionRequestDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CompletionDto | StreamableFile> {
    if (body.stream && hasKey(request)) throw new StreamTakesNoKey();
    const asked = CompletionRequestDto.toRequest(body);
    if (body.stream) return this.streams.begin(caller, body, asked, response);
    await using scope = new AsyncDisposableStack();
    scope.use(this.slots.completion(caller.attribution.organizationId, false));
    const call = await this.requests.open(scope, caller, 'completions', body);
    const answer = await withAttempts(response, () => this.calls.run(call, this.operationOf(caller, asked)));
    return CompletionDto.of(call.requestId, answer);
  }

  private operationOf({ attribution }: AiCaller, asked: CompletionRequest): AiOperation<Completion> {
    return completionOperation(asked, (check) => this.schemas.fits(attribution.organizationId, check));
  }
}
