import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import type { PostItem } from '../post-item.js';
import { PostsReader } from '../posts.reader.js';

/** @throws PostNotFound also when it is none of the caller's; ScopeIsMissing without the scope */
export class GetPost extends Query<PostItem> {
  constructor(
    readonly postId: string,
    readonly caller: Caller,
    readonly scope: Scope = 'posts.read',
  ) {
    super();
  }
}

@QueryHandler(GetPost)
export class GetPostHandler implements IQueryHandler<GetPost> {
  constructor(private readonly reader: PostsReader) {}

  execute({ postId, caller, scope }: GetPost): Promise<PostItem> {
    return this.reader.get(postId, caller, scope);
  }
}
