import { ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_LIMIT, FlagFilter, IdFilter, LimitParameter, MAX_LIMIT, Parameter } from '#libs/http';
import { MAX_TOPIC, MAX_TOPICS, topicOf } from '../../domain/text.js';

type Ignore = Parameters<Parameters<typeof Parameter>[0]>[1];

/** Repeated or separated by commas; what is no topic, and each beyond the maximum, is ignored with a warning. */
function topicsOf(value: unknown, ignore: Ignore): string[] {
  const words = [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []));
  const named = new Set<string>();
  for (const word of words.filter((one) => one.trim() !== '')) {
    const topic = topicOf(word);
    if (topic === null) ignore('not_allowed', `must have 1 to ${MAX_TOPIC} characters each; one is ignored`);
    else if (named.has(topic) || named.size < MAX_TOPICS) named.add(topic);
    else ignore('not_allowed', `must be at most ${MAX_TOPICS}; one is ignored`);
  }
  return [...named];
}

/** The brand can be named by X-Brand-ID instead. */
export class TrendBrandQuery {
  @ApiPropertyOptional({
    description: 'The brand, like X-Brand-ID. One of them is required.',
    format: 'uuid',
  })
  @IdFilter()
  brandId?: string;
}

export class TrendsQuery extends TrendBrandQuery {
  @ApiPropertyOptional({
    description: `Up to ${MAX_TOPICS}, repeated or separated by commas, of up to ${MAX_TOPIC} characters each; case is folded. Without topics: trends of the brand as a whole, and all items of its feeds.`,
    type: [String],
    example: ['coffee', 'latte art'],
  })
  @Parameter(topicsOf)
  topics: string[] = [];

  @ApiPropertyOptional({
    description:
      '`true` asks all sources, whatever the cache has. A call that runs already is joined. Counts for the limit of the brand.',
    type: 'boolean',
    default: false,
  })
  @FlagFilter()
  refresh: boolean = false;

  @ApiPropertyOptional({
    description: 'Maximum number of trends, the newest ones; clamped to 1…100.',
    type: 'integer',
    default: DEFAULT_LIMIT,
    minimum: 1,
    maximum: MAX_LIMIT,
  })
  @LimitParameter()
  limit: number = DEFAULT_LIMIT;
}
