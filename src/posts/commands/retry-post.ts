import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { WrittenPost } from '../views/post-item.js';
import { byOf, PostsAccess, scopesFor } from './posts.access.js';
import { retry } from '../domain/scheduling.js';

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
  constructor(private readonly access: PostsAccess) {}

  execute({ request: { reason = null, ...request } }: RetryPost): Promise<WrittenPost> {
    const by = byOf(request.caller);
    const scopes = scopesFor({ setsTime: true });
    return this.access.decide({ ...request, scopes }, () => (now) => retry(by, reason, now));
  }
}
