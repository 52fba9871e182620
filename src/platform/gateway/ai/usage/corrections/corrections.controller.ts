import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import {
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
import { PlatformAdmins } from '../../../access/callers.js';
import { AttemptIsNotSettled, AttemptNotFound, Corrections, type StoredAttempt } from './corrections.js';
import { UsageAttemptDto } from './attempt.dto.js';
import { CorrectUsageDto } from './correction-request.dto.js';

const ATTEMPT_ID = { name: 'attemptId', format: 'uuid', schema: { type: 'string' } } as const;

@ApiTags('Usage')
@PlatformAdmins()
@problemResponses(400)
@Controller('api/platform/usage/attempts')
export class CorrectionsController {
  constructor(
    private readonly corrections: Corrections,
    private readonly pages: Pages,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listDoubtedAttempts',
    summary: 'List attempts whose usage is doubted',
    description:
      'For platform administrators. Attempts of all organizations that a person should look at, the newest first. One that is corrected is no longer in the list.',
  })
  @ReturnsPage(UsageAttemptDto)
  listDoubted(@Query() query: ListQuery): Promise<Page<UsageAttemptDto>> {
    return this.pages.byId<StoredAttempt, UsageAttemptDto>(
      { list: 'doubted-attempts' },
      query,
      (after, count) => this.corrections.doubted(after, count),
      (attempt) => UsageAttemptDto.of(attempt),
    );
  }

  @Get(':attemptId')
  @ApiOperation({
    operationId: 'getUsageAttempt',
    summary: 'Get an attempt with its corrections',
    description:
      'For platform administrators. What the provider said, what was settled, and what counts now. The log names the identifiers of doubted attempts.',
  })
  @ApiOkResponse({ type: UsageAttemptDto, description: 'The attempt.' })
  @ApiParam(ATTEMPT_ID)
  @problemResponses(AttemptNotFound)
  @ReturnsEtag()
  async getAttempt(@Param('attemptId', ParseIdPipe) id: string): Promise<UsageAttemptDto> {
    return UsageAttemptDto.of(await this.corrections.find(id));
  }

  @Post(':attemptId/corrections')
  @ApiOperation({
    operationId: 'correctUsageAttempt',
    summary: 'Correct the usage of an attempt',
    description:
      'For platform administrators. Reports, and the limits of the day and month in which the attempt began, count the new values at once: a lower cost gives room back. What was settled stays stored. With its present values the attempt is confirmed. The audits of the organization and of the platform have the former and the new values. A cost makes the state `done`, or `failed` where the attempt failed. Repeating it with the same Idempotency-Key corrects once; with If-Match only what you have read is corrected. An attempt that still runs, or of which nothing was sent, is refused (409 `attempt_not_settled`).',
  })
  @ApiCreatedResponse({ type: UsageAttemptDto, description: 'The corrected attempt.' })
  @ApiParam(ATTEMPT_ID)
  @problemResponses(AttemptNotFound, AttemptIsNotSettled, VersionIsStale)
  @Idempotent()
  @ReturnsEtag()
  async correctAttempt(
    @CurrentCaller() caller: Caller,
    @Param('attemptId', ParseIdPipe) id: string,
    @Body() body: CorrectUsageDto,
    @IfMatch() ifVersion?: number,
  ): Promise<UsageAttemptDto> {
    const correction = CorrectUsageDto.correctionOf(body);
    return UsageAttemptDto.of(await this.corrections.correct(id, correction, caller, ifVersion));
  }
}
