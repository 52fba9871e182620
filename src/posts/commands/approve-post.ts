import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Finding } from '#libs/content';
import { approve } from '../domain/approval.js';
import type { WrittenPost } from '../views/post-item.js';
import { actorOf, PostsAccess, principalsOf } from './posts.access.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { blockersIn } from '../content/content-preflight.js';
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
      findings = await this.preflights.findingsOfDraft(post);
      const bound = { version: from.version, basis } as const;
      const approval = { by, principals, reason, maySchedule, bound, blockers: blockersIn(findings) };
      return (now) => approve({ ...approval, fingerprint: fingerprintOf }, now);
    });
    return { ...written, findings };
  }
}
