import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Platform } from '#libs/content';
import { StreamHasMoved } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { textLengthOf } from '../../../integrations/index.js';
import { CreatePost, GetPost, NO_CONTENT, type PostItem, PostNotFound } from '../../../posts/index.js';
import { TrendBrands } from '../access/brand-access.js';
import type { Trend } from '../domain/trend.js';
import { TrendNotFound } from '../domain/trends.errors.js';
import { SuggestionsStore } from '../suggestions.store.js';
import { TrendsStore } from '../trends.store.js';

/**
 * The text of a suggestion: the title, shortened until the text fits, and the source. The link of the trend is the link of the post.
 * @param fits whether the network takes a text of this length; true for every shorter one
 * @returns null when even one character of the title is too much
 */
export function suggestionText(
  { title, kind, sourceName }: Trend,
  fits: (text: string) => boolean,
): string | null {
  const source = `\n\nSource: ${kind === 'model' ? `AI model ${sourceName}` : sourceName}`;
  if (fits(title + source)) return title + source;
  const characters = [...title];
  const shortened = (length: number) => `${characters.slice(0, length).join('').trimEnd()}…${source}`;
  let [longest, tooLong] = [0, characters.length];
  while (tooLong - longest > 1) {
    const middle = Math.floor((longest + tooLong) / 2);
    if (fits(shortened(middle))) longest = middle;
    else tooLong = middle;
  }
  return longest === 0 ? null : shortened(longest);
}

export interface TrendToSuggest {
  readonly trendId: string;
  readonly platform: Platform;
  readonly caller: Caller;
}

export interface SuggestedPost {
  readonly post: PostItem;
  /** false: this trend was suggested for this network before. */
  readonly isNew: boolean;
}

/**
 * Makes a post with pending approval of a trend, once for each network. After the post was deleted, a new one is made.
 * @throws TrendNotFound, ScopeIsMissing, the errors of CreatePost
 */
export class SuggestTrend extends RequestCommand<TrendToSuggest, SuggestedPost> {}

/** Each further one finds a post that another request created and a third one deleted. */
const MAX_TRIES = 3;

@CommandHandler(SuggestTrend)
export class SuggestTrendHandler implements ICommandHandler<SuggestTrend> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly brands: TrendBrands,
    private readonly trends: TrendsStore,
    private readonly suggestions: SuggestionsStore,
  ) {}

  async execute({ request }: SuggestTrend): Promise<SuggestedPost> {
    const { trendId, platform, caller } = request;
    const trend = await this.trends.find(trendId);
    if (!trend) throw new TrendNotFound();
    await this.brands.authorize(trend.brandId, caller, 'posts.write', () => new TrendNotFound());
    for (let tries = 1; ; tries += 1) {
      const postId = await this.suggestions.reserve(trendId, platform);
      if (postId === undefined) throw new TrendNotFound();
      const existing = await this.find(postId, caller);
      if (existing) return { post: existing, isNew: false };
      const isNew = await this.create(trend, postId, request);
      const post = await this.find(postId, caller);
      if (post) return { post, isNew };
      if (tries === MAX_TRIES) throw new PostNotFound();
      await this.suggestions.replace(trendId, platform, postId);
    }
  }

  private async find(postId: string, caller: Caller): Promise<PostItem | undefined> {
    try {
      return await this.queries.execute(new GetPost({ postId, caller, scope: 'posts.write' }));
    } catch (error) {
      if (error instanceof PostNotFound) return undefined;
      throw error;
    }
  }

  /** @returns false when the post exists, or was deleted */
  private async create(trend: Trend, postId: string, { platform, caller }: TrendToSuggest): Promise<boolean> {
    const { brandId } = trend;
    const content = contentOf(trend, platform);
    const post = { postId, brandId, platform, content, thread: null, scheduledAt: null };
    try {
      await this.commands.execute(new CreatePost({ ...post, isSuggestion: true, caller }));
      return true;
    } catch (error) {
      if (error instanceof StreamHasMoved) return false;
      throw error;
    }
  }
}

/** Text and link that the network takes together. A link that takes all of the room is left out. */
function contentOf(trend: Trend, platform: Platform): typeof NO_CONTENT {
  for (const link of [trend.link, null]) {
    const text = suggestionText(trend, (tried) => isShort(platform, { ...NO_CONTENT, text: tried, link }));
    if (text !== null) return { ...NO_CONTENT, text, link };
  }
  return { ...NO_CONTENT, text: suggestionText(trend, () => true) ?? trend.title, link: null };
}

/** No account is chosen yet: the limits of any account count. */
function isShort(platform: Platform, { options = {}, ...content }: typeof NO_CONTENT): boolean {
  const counted = textLengthOf(platform, { ...content, options, media: [], account: null });
  return counted === null || counted.length <= counted.limit;
}
