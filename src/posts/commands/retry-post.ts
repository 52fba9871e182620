import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { WrittenPost } from '../views/post-item.js';
import { actorOf, PostsAccess, requiredScopes } from './posts.access.js';
import { retry } from '../domain/scheduling.js';

export interface Retry {
  readonly postId: string;
  readonly caller: Caller;
  readonly reason?: string | null;
  readonly ifVersion?: number;
}

/** Makes a failed post due now. Needs posts.write and calendar.write. */
export class RetryPost extends Command<WrittenPost> {
  constructor(readonly request: Retry) {
    super();
  }
}

@CommandHandler(RetryPost)
export class RetryPostHandler implements ICommandHandler<RetryPost> {
  constructor(private readonly access: PostsAccess) {}

  execute({ request: { reason = null, ...request } }: RetryPost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    const scopes = requiredScopes({ setsTime: true });
    return this.access.decide({ ...request, scopes }, () => (now) => retry(by, reason, now));
  }
}
