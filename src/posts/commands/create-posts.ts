import { randomUUIDv7 } from 'node:crypto';
import { scheduler } from 'node:timers/promises';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext } from '#libs/auth';
import type { Finding, Instant, Platform } from '#libs/content';
import { Database } from '#libs/database';
import type { Changed } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { AccountIsNamedTwice, decideAll, settled } from '../domain/batch.js';
import type { IfLate } from '../domain/late-window.js';
import type { PostContent, PostEvent } from '../domain/post.events.js';
import { noPost, type Post } from '../domain/post.js';
import { draft, suggest } from '../domain/writing.js';
import { preflightOfWritten, type PreflightRequest } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import { PostsDestinations } from '../content/posts.destinations.js';
import type { WrittenPost } from '../views/post-item.js';
import { Posts, writtenPostOf } from '../posts.stream.js';
import { BrandPosts } from './brand-posts.js';
import { actorOf } from './posts.access.js';

export interface PostOfBatch {
  readonly platform: Platform;
  readonly content: PostContent;
  readonly scheduledAt: Instant | null;
  readonly ifLate?: IfLate | null;
}

export interface PostsToCreate {
  readonly brandId: string;
  /** At least one. */
  readonly posts: readonly PostOfBatch[];
  /** A person can ask for approval, too. */
  readonly isSuggestion: boolean;
  readonly caller: Caller;
}

/**
 * Creates all posts or none, each as `CreatePost` would.
 * @returns in the order of the request @throws BrandNotFound, ScopeIsMissing, BatchIsRefused, BrandHasMoved
 */
export class CreatePosts extends RequestCommand<PostsToCreate, WrittenPost[]> {}

interface Decided {
  readonly id: string;
  readonly events: readonly PostEvent[];
  readonly findings: readonly Finding[];
}
type Decide = (now: Instant) => Decided;

@CommandHandler(CreatePosts)
export class CreatePostsHandler implements ICommandHandler<CreatePosts> {
  constructor(
    private readonly database: Database,
    private readonly brands: BrandPosts,
    private readonly preflights: PreflightRequests,
    private readonly destinations: PostsDestinations,
    private readonly posts: Posts,
  ) {}

  async execute({ request }: CreatePosts): Promise<WrittenPost[]> {
    const { brandId, caller, posts } = request;
    const isSuggestion = request.isSuggestion || caller.isAutomation;
    const setsTime = !isSuggestion && posts.some(({ scheduledAt }) => scheduledAt !== null);
    const owner = await this.brands.authorize(brandId, caller, setsTime);
    const decisions = await this.decisions({ ...request, isSuggestion });
    let decided: readonly Decided[] = [];
    const decide = (now: Instant) => (decided = decideAll(decisions.map((each) => () => each(now))));
    const created = await this.database.transaction(async () => {
      const stored = await this.posts.createMany(decide, eventContext(caller, owner), owner);
      await this.brands.mustStillBelong(owner, caller);
      return stored;
    });
    return created.map((post, index) => written(post, owner.organizationId, decided[index]));
  }

  /** One for each post; everything that they depend on besides the time is read here. */
  private async decisions({ brandId, posts, isSuggestion, caller }: PostsToCreate): Promise<Decide[]> {
    const by = actorOf(caller);
    const addressed = posts.map((post) => ({ ...post, brandId, authorId: by.id }));
    const requests = await this.preflights.ofAll(brandId, addressed);
    const duplicates = await this.destinations.duplicatesIn(addressed);
    const write = isSuggestion ? suggest : draft;
    const decisions: Decide[] = [];
    for (const [index, { platform, content, scheduledAt, ifLate }] of addressed.entries()) {
      // The rules need tens of milliseconds for a text of the largest size.
      await scheduler.yield();
      const checked = settled(() => {
        mustBeTheFirst(duplicates[index]);
        return preflightOfWritten((requests[index] as () => PreflightRequest)());
      });
      const id = randomUUIDv7();
      const post = { postId: id, brandId, platform, content, thread: null, scheduledAt, ifLate, by };
      decisions.push((now) => {
        const { findings, ...recorded } = checked();
        return { id, events: write({ ...post, ...recorded }, now)(noPost), findings };
      });
    }
    return decisions;
  }
}

function mustBeTheFirst(duplicateOf: number | null = null): void {
  if (duplicateOf !== null) throw new AccountIsNamedTwice(duplicateOf);
}

const written = (post: Changed<Post>, organizationId: string, decided?: Decided): WrittenPost => ({
  ...writtenPostOf(post, organizationId),
  findings: decided?.findings,
});
