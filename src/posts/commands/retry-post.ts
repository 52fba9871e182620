import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { WrittenPost } from '../post-item.js';
import { byOf, PostsAccess } from '../posts.access.js';
import { Posts } from '../posts.stream.js';
import { retry } from '../scheduling.js';

export interface Retry {
  readonly postId: string;
  readonly caller: Caller;
  readonly reason?: string | null;
  readonly ifVersion?: number;
}

/** A failed post is due again at once. Takes posts.write and calendar.write. */
export class RetryPost extends Command<WrittenPost> {
  constructor(readonly request: Retry) {
    super();
  }
}

@CommandHandler(RetryPost)
export class RetryPostHandler implements ICommandHandler<RetryPost> {
  constructor(
    private readonly access: PostsAccess,
    private readonly posts: Posts,
  ) {}

  async execute({ request: { postId, caller, reason = null, ifVersion } }: RetryPost): Promise<WrittenPost> {
    const reached = await this.access.reach(postId, caller, 'posts.write', 'calendar.write');
    return this.posts.decide(reached, (now) => retry(byOf(caller), reason, now), ifVersion);
  }
}
