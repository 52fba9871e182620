import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { reject } from '../domain/approval.js';
import type { WrittenPost } from '../views/post-item.js';
import { actorOf, PostsAccess } from './posts.access.js';

export interface Rejection {
  readonly postId: string;
  readonly caller: Caller;
  readonly reason?: string | null;
  readonly ifVersion?: number;
}

/** Removes a suggestion from the queue. */
export class RejectPost extends Command<WrittenPost> {
  constructor(readonly request: Rejection) {
    super();
  }
}

@CommandHandler(RejectPost)
export class RejectPostHandler implements ICommandHandler<RejectPost> {
  constructor(private readonly access: PostsAccess) {}

  execute({ request: { reason = null, ...request } }: RejectPost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    return this.access.decide({ ...request, scopes: ['posts.write'] }, () => () => reject(by, reason));
  }
}
