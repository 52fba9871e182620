import { Body, Controller, HttpCode, Post, Res, UseInterceptors } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IdempotentLongWork, problemResponses } from '#libs/http';
import { ReceivedUpload } from '#libs/uploads';
import { AiCallers } from '../../access/callers.js';
import { type AiCaller, AiRequests } from '../calls/admit/ai-requests.js';
import { UnaryCalls } from '../calls/call/unary-calls.js';
import { transcriptionOperation } from '../calls/call/operations.js';
import { AiResponses, attemptsHeader } from './ai-responses.js';
import { type AudioFile, ReceiveAudio } from './receive-audio.interceptor.js';
import { CurrentAiCaller } from './current-ai-caller.js';
import { TranscriptionDto, TranscriptionRequestDto } from './dto/transcription.dto.js';
import { withAttempts } from './with-attempts.js';

@ApiTags('AI')
@Controller('api/ai/transcriptions')
export class TranscriptionsController {
  constructor(
    private readonly requests: AiRequests,
    private readonly calls: UnaryCalls,
  ) {}

  @ApiOperation({
    operationId: 'transcribeAudio',
    summary: 'Write down what a recording says',
    description:
      'The form has the part `file` with audio (WAV, MP3, FLAC, Ogg, WebM, MP4) after its other fields. What the file is, its bytes say. A hard limit of spend reserves for the longest duration of so many bytes, a second for each 750 (6 kbit/s); what the provider counts replaces it. By the model of the request or the default of the organization, then by the fallback chain. Without an Idempotency-Key the call ends when the caller leaves; with one it is finished and its response kept for 24 hours.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiOkResponse({ type: TranscriptionDto, description: 'The transcript.', headers: attemptsHeader })
  @problemResponses(408)
  @AiResponses()
  @IdempotentLongWork({ subject: 'transcription' })
  @UseInterceptors(ReceiveAudio)
  @AiCallers('transcriptions')
  @HttpCode(200)
  @Post()
  async transcribeAudio(
    @CurrentAiCaller() caller: AiCaller,
    @Body() { language, prompt, ...choice }: TranscriptionRequestDto,
    @ReceivedUpload() file: AudioFile,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TranscriptionDto> {
    await using scope = new AsyncDisposableStack();
    const call = await this.requests.open(scope, caller, 'transcriptions', choice);
    const operation = transcriptionOperation({ file, language: language ?? null, prompt: prompt ?? null });
    const answer = await withAttempts(response, () => this.calls.run(call, operation));
    return TranscriptionDto.of(call.requestId, answer);
  }
}
