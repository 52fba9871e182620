import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext } from '#libs/auth';
import type { Instant, Platform } from '#libs/content';
import { type Changed, StreamHasMoved } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { hasThreads } from '../../integrations/index.js';
import type { WrittenPost } from '../views/post-item.js';
import type { PostContent, PostEvent } from '../domain/post.events.js';
import type { IfLate } from '../domain/late-window.js';
import { ThreadsAreNotSupported } from '../domain/thread.js';
import { noPost, type Post } from '../domain/post.js';
import { BrandPosts, heldBrand, type OwnedBrand } from './brand-posts.js';
import { actorOf } from './posts.access.js';
import { preflightOfWritten } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import { writtenPostOf, Posts } from '../posts.stream.js';
import { PostsThreads } from './posts.threads.js';
import { draft, suggest } from '../domain/writing.js';

export interface PostToCreate {
  /** A UUIDv7 that the calling feature has stored, so that a repetition creates no second post; by default a new one. */
  readonly postId?: string;
  readonly brandId: string;
  readonly platform: Platform;
  readonly content: PostContent;
  /** null: no thread. Without an id it starts a thread, without a position it appends to one. */
  readonly thread: { readonly id?: string; readonly position?: number } | null;
  readonly scheduledAt: Instant | null;
  readonly ifLate?: IfLate | null;
  /** A person can ask for approval, too. */
  readonly isSuggestion: boolean;
  readonly caller: Caller;
}

/** @throws BrandNotFound, ScopeIsMissing, ReferenceIsNotFound, MediaIsNotReady, ThreadsAreNotSupported, BrandHasMoved, StreamHasMoved when the post exists or existed, the errors of the decision and of the thread */
export class CreatePost extends RequestCommand<PostToCreate, WrittenPost> {}

@CommandHandler(CreatePost)
export class CreatePostHandler implements ICommandHandler<CreatePost> {
  constructor(
    private readonly brands: BrandPosts,
    private readonly preflights: PreflightRequests,
    private readonly threads: PostsThreads,
    private readonly posts: Posts,
  ) {}

  async execute({ request: post }: CreatePost): Promise<WrittenPost> {
    const { brandId, platform, content, scheduledAt, ifLate, caller } = post;
    const isSuggestion = post.isSuggestion || caller.isAutomation;
    const owner = await this.brands.authorize(brandId, caller, scheduledAt !== null && !isSuggestion);
    const { findings, ...checked } = await this.checked(post);
    const by = actorOf(caller);
    const { postId = randomUUIDv7() } = post;
    const written = { postId, brandId, platform, content, ...checked, scheduledAt, ifLate, by };
    const write = isSuggestion ? suggest : draft;
    const created = await this.threads.createPart(post, (thread) =>
      this.stored(postId, (now) => write({ ...written, thread }, now)(noPost), { caller, owner }),
    );
    return { ...writtenPostOf(created, owner.organizationId), findings };
  }

  private async stored(
    postId: string,
    decide: (now: Instant) => PostEvent[],
    { caller, owner }: { readonly caller: Caller; readonly owner: OwnedBrand },
  ): Promise<Changed<Post, PostEvent>> {
    try {
      const { now } = owner;
      return await this.posts.create(postId, decide, eventContext(caller, owner), {
        now,
        held: heldBrand(owner),
      });
    } catch (error) {
      if (error instanceof StreamHasMoved) await this.brands.mustStillBelong(owner, caller);
      throw error;
    }
  }

  private async checked({ brandId, platform, content, thread, caller }: PostToCreate) {
    if (thread !== null && !hasThreads(platform)) throw new ThreadsAreNotSupported(thread);
    const written = { brandId, platform, authorId: caller.id, content };
    return preflightOfWritten(await this.preflights.of(written));
  }
}
