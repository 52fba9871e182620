import { Body, Controller, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { BrandId, BrandNotFound, type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import {
  BEARER_AUTH,
  IdempotentLongWork,
  IfMatch,
  ParseIdPipe,
  problemResponses,
  RequestIsNotValid,
  ReturnsEtag,
  WarnsOfParameters,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { SetFeeds } from '../commands/set-feeds.js';
import { SuggestTrend } from '../commands/suggest-trend.js';
import { FindTrends } from '../queries/find-trends.js';
import { GetFeeds } from '../queries/get-feeds.js';
import { FeedsDto, SetFeedsDto } from './dto/feeds.dto.js';
import { SuggestTrendDto, TrendSuggestionDto } from './dto/suggestion.dto.js';
import { TrendBrandQuery, TrendsQuery } from './dto/trends-query.dto.js';
import { TrendsDto } from './dto/trends.dto.js';
import { TrendNotFound } from '../domain/trends.errors.js';

const BRAND_HEADER = { name: 'X-Brand-ID', required: false, description: 'The brand it is about.' };

@ApiTags('Trends')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/trends')
export class TrendsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @RequiresScopes('analytics.read')
  @WarnsOfParameters()
  @ApiOperation({
    operationId: 'listTrends',
    summary: 'List current trends',
    description:
      'Of a brand and topics, from an AI model and from the feeds of the brand. Each topic and each feed has a cache of its own; a source that fails hides no other one, and its older trends are marked as stale. 429 and 503 only where nothing at all is known: 429 `trend_source_limited`, 429 `trend_limit_reached` (the sources of the brand were asked too often), 503 `trends_unavailable`. Where something is known, `failure` of a source says so.',
  })
  @ApiHeader(BRAND_HEADER)
  @ApiOkResponse({ type: TrendsDto, description: 'The trends, and the state of each source.' })
  @problemResponses(400, BrandNotFound)
  async listTrends(
    @Query() { brandId, topics, refresh, limit }: TrendsQuery,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<TrendsDto> {
    const request = { brandId: requiredBrand(brandId, header), topics, refresh, caller };
    return TrendsDto.of(await this.queries.execute(new FindTrends(request)), limit);
  }

  @Get('feeds')
  @RequiresScopes('analytics.read')
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'getTrendFeeds',
    summary: 'Get the feeds of a brand',
    description: 'The feeds that trends are read from.',
  })
  @ApiHeader(BRAND_HEADER)
  @ApiOkResponse({ type: FeedsDto, description: 'The feeds.' })
  @problemResponses(400, BrandNotFound)
  async getFeeds(
    @Query() { brandId }: TrendBrandQuery,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<FeedsDto> {
    const request = { brandId: requiredBrand(brandId, header), caller };
    return FeedsDto.of(await this.queries.execute(new GetFeeds(request)));
  }

  @Put('feeds')
  @RequiresScopes('accounts.write')
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'setTrendFeeds',
    summary: 'Set the feeds of a brand',
    description:
      'Replaces the feeds that trends are read from. They are not called now: `sources` of the next list of trends says which of them work.',
  })
  @ApiHeader(BRAND_HEADER)
  @ApiOkResponse({ type: FeedsDto, description: 'The feeds as they are now.' })
  @problemResponses(BrandNotFound, VersionIsStale)
  async setFeeds(
    @Query() { brandId }: TrendBrandQuery,
    @Body() body: SetFeedsDto,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<FeedsDto> {
    const urls = SetFeedsDto.urlsIn(body);
    const request = { brandId: requiredBrand(brandId, header), urls, caller, ifVersion };
    return FeedsDto.of(await this.commands.execute(new SetFeeds(request)));
  }

  @Post(':trendId/suggestion')
  @RequiresScopes('posts.write')
  @IdempotentLongWork({ subject: 'trend suggestion' })
  @ApiOperation({
    operationId: 'suggestTrend',
    summary: 'Make a suggestion of a trend',
    description:
      'A draft with pending approval in the content queue, whose text names the source and whose link is that of the trend. One for each trend and network: a repetition responds with 200 and the post as it is now. After the post was deleted, a new one is made.',
  })
  @ApiParam({ name: 'trendId', schema: { type: 'string', format: 'uuid' } })
  @ApiCreatedResponse({ type: TrendSuggestionDto, description: 'The new suggestion.' })
  @ApiOkResponse({ type: TrendSuggestionDto, description: 'The suggestion that was made before.' })
  @problemResponses(TrendNotFound)
  async suggestTrend(
    @Param('trendId', ParseIdPipe) trendId: string,
    @Body() { platform }: SuggestTrendDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TrendSuggestionDto> {
    const suggested = await this.commands.execute(new SuggestTrend({ trendId, platform, caller }));
    if (!suggested.isNew) response.status(200);
    return TrendSuggestionDto.of(trendId, suggested);
  }
}

/** @throws RequestIsNotValid without a brand or with two different ones */
function requiredBrand(brandId: string | undefined, header: string | undefined): string {
  const named = brandId ?? header;
  if (named === undefined) throw brandIsNotValid('required', 'is required here or as X-Brand-ID');
  if (header !== undefined && named !== header)
    throw brandIsNotValid('contradicts_header', 'must be that of X-Brand-ID');
  return named;
}

const brandIsNotValid = (code: string, detail: string) =>
  new RequestIsNotValid([{ parameter: 'brandId', code, detail }]);
