import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { approve } from '../approval.js';
import { allowedActions } from '../guards.js';
import type { WrittenPost } from '../post-item.js';
import { ContentCannotBePublished } from '../post.errors.js';
import type { LivePost } from '../post.js';
import { byOf, PostsAccess } from '../posts.access.js';
import { fingerprintOf } from '../posts.fingerprint.js';
import { PostsPreflight } from '../posts.preflight.js';
import { Posts } from '../posts.stream.js';

export interface Approval {
  readonly postId: string;
  readonly caller: Caller;
  readonly reason?: string | null;
  readonly ifVersion?: number;
}

/** Clears a suggestion, and schedules it when its proposed time is ahead; that takes calendar.write too. */
export class ApprovePost extends Command<WrittenPost> {
  constructor(readonly request: Approval) {
    super();
  }
}

@CommandHandler(ApprovePost)
export class ApprovePostHandler implements ICommandHandler<ApprovePost> {
  constructor(
    private readonly access: PostsAccess,
    private readonly preflight: PostsPreflight,
    private readonly posts: Posts,
  ) {}

  async execute({
    request: { postId, caller, reason = null, ifVersion },
  }: ApprovePost): Promise<WrittenPost> {
    const reached = await this.access.reach(postId, caller, 'posts.write');
    const { post, maySchedule } = reached;
    if (allowedActions(post).includes('approve')) await this.mustPass(post);
    const approval = { by: byOf(caller), reason, maySchedule, fingerprint: fingerprintOf };
    return this.posts.decide(reached, (now) => approve(approval, now), ifVersion);
  }

  /** By today's rules: those recorded with the text may be older. */
  private async mustPass({ platform, content }: LivePost): Promise<void> {
    const blockers = await this.preflight.blockers(platform, content);
    if (blockers.length > 0) throw new ContentCannotBePublished(blockers);
  }
}
