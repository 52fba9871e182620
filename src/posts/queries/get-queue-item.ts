import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import type { PostItem } from '../post-item.js';
import { PostNotFound } from '../post.errors.js';
import { PostsReader } from '../posts.reader.js';

export interface WhichItem {
  readonly postId: string;
  readonly caller: Caller;
  /** What the caller needs for it; posts.read unless it was just allowed to change it. */
  readonly scope?: Scope;
  /** Only if it belongs to this brand. */
  readonly brandId?: string;
}

/** Any post within the caller's reach, in the queue or not. @throws PostNotFound, ScopeIsMissing */
export class GetQueueItem extends Query<PostItem> {
  constructor(readonly which: WhichItem) {
    super();
  }
}

@QueryHandler(GetQueueItem)
export class GetQueueItemHandler implements IQueryHandler<GetQueueItem> {
  constructor(private readonly reader: PostsReader) {}

  async execute({ which: { postId, caller, scope, brandId } }: GetQueueItem): Promise<PostItem> {
    const item = await this.reader.get(postId, caller, scope);
    if (brandId !== undefined && item.brandId !== brandId) throw new PostNotFound();
    return item;
  }
}
