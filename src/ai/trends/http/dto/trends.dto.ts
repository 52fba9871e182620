import { is, ListWarningsDto, shape } from '#libs/http';
import { MAX_SUMMARY, MAX_TITLE, SOURCE_KINDS, type SourceKind } from '../../domain/trend.js';
import type { CurrentTrend, FoundTrends, Freshness, SourceReport } from '../../queries/find-trends.js';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
const AT = { format: 'date-time', example: '2026-11-23T09:00:00.000Z' };
const orNull = { type: 'string' as const, nullable: true };
const KIND = {
  enum: SOURCE_KINDS,
  enumName: 'TrendSourceKind',
  description: '`model`: an AI model, through the provider gateway; `feed`: a feed of the brand.',
  example: 'feed',
};

export class TrendDto extends shape({
  id: is.uuid({
    example: ID,
    description: 'The same as long as the source has the trend. Kept for 7 days after that.',
  }),
  title: is.text({ maxLength: MAX_TITLE, example: 'Cold brew sells in winter too' }),
  summary: is.text({
    maxLength: MAX_SUMMARY,
    description: 'Plain text; empty: the source gave none.',
    example: 'Shops report that a third of their sales is cold, up from a tenth in 2023.',
  }),
  link: is.of<string | null>({ ...orNull, format: 'uri', example: 'https://news.example.com/cold-brew' }),
  publishedAt: is.of<string | null>({
    ...orNull,
    ...AT,
    description: 'null: the source gives none, or one in the future.',
  }),
  firstSeenAt: is.text(AT),
  sourceKind: is.of<SourceKind>(KIND),
  sourceName: is.text({ description: 'Title of the feed, or `provider/model`.', example: 'Coffee News' }),
  topics: is.texts({
    description: 'The topics of the request that it is about; empty for a request without topics.',
    example: ['coffee'],
  }),
  isStale: is.flag({ description: 'From an earlier result: its source gave none since.', example: false }),
}) {
  static of({ kind: sourceKind, brandId: _brand, topic: _topic, ...trend }: CurrentTrend): TrendDto {
    return { ...trend, sourceKind };
  }
}

export class TrendFailureDto extends shape({
  code: is.text({
    description:
      'Stable machine name: `trend_limit_reached` (the sources of the brand were asked too often), a code of the provider gateway, such as `spend_limit_reached`, or `unreadable_answer`, `content_policy`, `still_running`, `feed_unreachable`, `feed_refused`, `feed_limited`, `feed_too_large`, `feed_address_refused`, `feed_too_complex`, `too_many_feeds`, `not_a_feed`, `source_busy`; more may follow.',
    example: 'feed_unreachable',
  }),
  retryAfterSeconds: is.integer({
    minimum: 0,
    description: 'Seconds after which a request without `refresh` asks again.',
    example: 60,
  }),
}) {}

export class TrendSourceDto extends shape({
  kind: is.of<SourceKind>(KIND),
  topic: is.of<string | null>({
    ...orNull,
    description: 'Of a model; null for the brand as a whole.',
    example: null,
  }),
  url: is.of<string | null>({
    ...orNull,
    format: 'uri',
    description: 'Of a feed.',
    example: 'https://news.example.com/rss',
  }),
  name: is.of<string | null>({
    ...orNull,
    description: 'As in `sourceName`; null before the first result.',
    example: 'Coffee News',
  }),
  state: is.text<Freshness>({
    enum: ['fresh', 'stale', 'failed', 'pending'],
    description:
      '`stale`: an older result, because the source failed since or is still being asked; `failed`: no result; `pending`: still being asked for the first one.',
    example: 'fresh',
  }),
  foundAt: is.of<string | null>({ ...orNull, ...AT, description: 'Of the result; null: none yet.' }),
  dropped: is.integer({ minimum: 0, description: 'Items of the result that are no trends.', example: 0 }),
  failure: is.object(() => TrendFailureDto, { description: 'Of the last attempt.', example: null }).orNull,
}) {
  static of({ source: { kind, key }, state, freshness }: SourceReport): TrendSourceDto {
    const { name, foundAt, dropped, failure, retryAfterSeconds } = state;
    return {
      kind,
      topic: kind === 'model' && key !== '' ? key : null,
      url: kind === 'feed' ? key : null,
      name,
      state: freshness,
      foundAt,
      dropped,
      failure: failure === null ? null : { code: failure, retryAfterSeconds },
    };
  }
}

export class TrendsDto extends shape(
  {
    data: is.list(() => TrendDto, { description: 'Newest first.' }),
    hasMore: is.flag({ description: 'There are more trends than `limit`.', example: false }),
    sources: is.list(() => TrendSourceDto, { description: 'One for each topic and each feed.' }),
  },
  ListWarningsDto,
) {
  static of({ trends, sources }: FoundTrends, limit: number): TrendsDto {
    return {
      data: trends.slice(0, limit).map((trend) => TrendDto.of(trend)),
      hasMore: trends.length > limit,
      sources: sources.map((source) => TrendSourceDto.of(source)),
    };
  }
}
