import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { WrittenPost } from '../post-item.js';
import type { Instant } from '../post.events.js';
import { byOf, PostsAccess } from '../posts.access.js';
import { Posts } from '../posts.stream.js';
import { reschedule } from '../scheduling.js';

export interface Reschedule {
  readonly postId: string;
  readonly scheduledAt: Instant;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** Moves what is scheduled, failed or approved without a time. Takes posts.write and calendar.write. */
export class ReschedulePost extends Command<WrittenPost> {
  constructor(readonly request: Reschedule) {
    super();
  }
}

@CommandHandler(ReschedulePost)
export class ReschedulePostHandler implements ICommandHandler<ReschedulePost> {
  constructor(
    private readonly access: PostsAccess,
    private readonly posts: Posts,
  ) {}

  async execute({ request }: ReschedulePost): Promise<WrittenPost> {
    const { postId, scheduledAt, caller, ifVersion } = request;
    const reached = await this.access.reach(postId, caller, 'posts.write', 'calendar.write');
    const by = byOf(caller);
    return this.posts.decide(reached, (now) => reschedule(scheduledAt, by, now), ifVersion);
  }
}
