import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Finding } from '#libs/content';
import { approve } from '../domain/approval.js';
import { allowedActions } from '../domain/guards.js';
import type { WrittenPost } from '../views/post-item.js';
import { ContentCannotBePublished } from '../domain/post.errors.js';
import type { ExistingPost } from '../domain/post.js';
import { actorOf, PostsAccess, principalsOf } from './posts.access.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { blockersIn, preflight } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';

export interface ApprovalRequest {
  readonly postId: string;
  readonly caller: Caller;
  readonly reason?: string | null;
  readonly ifVersion?: number;
}

/**
 * Approves a suggestion and schedules it if its proposed time is in the future, which also needs calendar.write. Without
 * `ifVersion` the approval covers the version that is stored at the decision. The event and the post name the version.
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
    private readonly preflights: PreflightRequests,
  ) {}

  async execute({ request: { reason = null, ...request } }: ApprovePost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    const principals = principalsOf(request.caller);
    const basis = request.ifVersion === undefined ? 'stored' : 'if_match';
    const change = { ...request, scopes: ['posts.write'] };
    let findings: readonly Finding[] | undefined;
    const written = await this.access.decide(change, async ({ post, maySchedule, from }) => {
      const isAllowed = allowedActions(post).includes('approve');
      findings = isAllowed ? await this.passedPreflight(post) : undefined;
      const bound = { version: from.version, basis } as const;
      return (now) =>
        approve({ by, principals, reason, maySchedule, bound, fingerprint: fingerprintOf }, now);
    });
    return { ...written, findings };
  }

  /** By the current rules: the blockers recorded with the content can be outdated. @throws ContentCannotBePublished */
  private async passedPreflight(post: ExistingPost): Promise<Finding[]> {
    const findings = preflight(await this.preflights.ofStored(post));
    const blockers = blockersIn(findings);
    if (blockers.length > 0) throw new ContentCannotBePublished(blockers);
    return findings;
  }
}
