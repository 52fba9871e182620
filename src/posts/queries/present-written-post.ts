import { Logger } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import type { PostItem, WrittenPost } from '../views/post-item.js';
import { type PostWarning, WARNINGS_UNAVAILABLE } from '../domain/warnings.js';
import { FindPostWarnings } from './find-post-warnings.js';
import { GetPost } from './get-post.js';
import { shownFile, ShownPosts } from './shown-posts.js';

export interface PresentedPost {
  readonly item: PostItem;
  readonly warnings: readonly PostWarning[];
}

export interface PresentWrittenPostRequest {
  readonly post: WrittenPost;
  readonly caller: Caller;
}

/** The response to a command: the post, the part of its thread that it waits for, and its warnings. */
export class PresentWrittenPost extends Query<PresentedPost> {
  constructor(readonly request: PresentWrittenPostRequest) {
    super();
  }
}

/**
 * A failed lookup never fails a committed command: after a 503 the client would send it again and create a second post.
 * Inside a transaction the error is thrown, because the command is rolled back with it.
 */
@QueryHandler(PresentWrittenPost)
export class PresentWrittenPostHandler implements IQueryHandler<PresentWrittenPost> {
  private readonly logger = new Logger(PresentWrittenPost.name);

  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly shown: ShownPosts,
  ) {}

  async execute({ request: { post, caller } }: PresentWrittenPost): Promise<PresentedPost> {
    let item: PostItem = { ...post, blockedBy: null, media: post.mediaIds.map((id) => shownFile(id)) };
    try {
      // Only a part of a thread can have a predecessor.
      if (post.threadId !== null)
        item = await this.queries.execute(new GetPost({ postId: post.id, caller, scope: 'posts.write' }));
      else item = (await this.shown.of([item]))[0] ?? item;
      return {
        item: withoutAddresses(item),
        warnings: await this.queries.execute(new FindPostWarnings({ post, caller })),
      };
    } catch (error) {
      if (this.database.isInTransaction) throw error;
      this.logger.error(error, `The warnings of post ${post.id} could not be looked up. The post is stored.`);
      return { item: withoutAddresses(item), warnings: [WARNINGS_UNAVAILABLE] };
    }
  }
}

/** The response may be stored for its Idempotency-Key; a signed address is a credential and expires earlier. */
const withoutAddresses = (item: PostItem): PostItem => ({
  ...item,
  media: item.media.map((file) => ({ ...file, thumbnailUrl: null })),
});
