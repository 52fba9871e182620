import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { approve } from '../domain/approval.js';
import { allowedActions } from '../domain/guards.js';
import type { WrittenPost } from '../views/post-item.js';
import { ContentCannotBePublished } from '../domain/post.errors.js';
import type { ExistingPost } from '../domain/post.js';
import { actorOf, PostsAccess } from './posts.access.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { ContentPreflight } from '../content/content-preflight.js';

export interface ApprovalRequest {
  readonly postId: string;
  readonly caller: Caller;
  readonly reason?: string | null;
  readonly ifVersion?: number;
}

/**
 * Clears a suggestion, and schedules it when its proposed time is ahead; that takes calendar.write too. Without `ifVersion` it
 * covers what is stored when the decision is made. The event and the post name that version.
 */
export class ApprovePost extends Command<WrittenPost> {
  constructor(readonly request: ApprovalRequest) {
    super();
  }
}

@CommandHandler(ApprovePost)
export class ApprovePostHandler implements ICommandHandler<ApprovePost> {
  constructor(
    private readonly access: PostsAccess,
    private readonly preflight: ContentPreflight,
  ) {}

  execute({ request: { reason = null, ...request } }: ApprovePost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    const basis = request.ifVersion === undefined ? 'stored' : 'if_match';
    return this.access.decide(
      { ...request, scopes: ['posts.write'] },
      async ({ post, maySchedule, from }) => {
        if (allowedActions(post).includes('approve')) await this.mustPassPreflight(post);
        const bound = { version: from.version, basis } as const;
        return (now) => approve({ by, reason, maySchedule, bound, fingerprint: fingerprintOf }, now);
      },
    );
  }

  /** By today's rules: those recorded with the text may be older. */
  private async mustPassPreflight({ platform, content }: ExistingPost): Promise<void> {
    const blockers = await this.preflight.blockers(platform, content);
    if (blockers.length > 0) throw new ContentCannotBePublished(blockers);
  }
}
