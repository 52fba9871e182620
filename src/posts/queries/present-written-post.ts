import { Logger } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import type { PostItem, WrittenPost } from '../views/post-item.js';
import type { PostWarning } from '../domain/warnings.js';
import { WARNINGS_UNAVAILABLE } from '../domain/warnings.js';
import { FindPostWarnings } from './find-post-warnings.js';
import { GetPost } from './get-post.js';

export interface PresentedPost {
  readonly item: PostItem;
  readonly warnings: readonly PostWarning[];
}

/** What a command wrote, for who sent it: with what it waits for, and what to know before it goes out. */
export class PresentWrittenPost extends Query<PresentedPost> {
  constructor(
    readonly post: WrittenPost,
    readonly caller: Caller,
  ) {
    super();
  }
}

/**
 * What is committed is never answered by a failure: who is told 503 sends it again, and it would be there twice. Inside a
 * transaction nothing is yet, and all of it fails together.
 */
@QueryHandler(PresentWrittenPost)
export class PresentWrittenPostHandler implements IQueryHandler<PresentWrittenPost> {
  private readonly logger = new Logger(PresentWrittenPost.name);

  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
  ) {}

  async execute({ post, caller }: PresentWrittenPost): Promise<PresentedPost> {
    let item: PostItem = { ...post, blockedBy: null };
    try {
      // What comes before it is read only where something can.
      if (post.threadId !== null)
        item = await this.queries.execute(new GetPost({ postId: post.id, caller, scope: 'posts.write' }));
      return { item, warnings: await this.queries.execute(new FindPostWarnings(post, caller)) };
    } catch (error) {
      if (this.database.isInTransaction) throw error;
      this.logger.error(error, `What to know of post ${post.id}, which was written, could not be looked up.`);
      return { item, warnings: [WARNINGS_UNAVAILABLE] };
    }
  }
}
