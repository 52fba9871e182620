import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Finding } from '#libs/content';
import { RequestCommand } from '#libs/messages';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { blockersIn } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import { approve, reject } from '../domain/approval.js';
import type { WrittenPost } from '../views/post-item.js';
import { actorOf, PostsAccess, principalsOf, type ReasonedRequest } from './posts.access.js';

/**
 * Approves a suggestion and schedules it if its proposed time is in the future, which also needs calendar.write. Without
 * `ifVersion` the approval covers the version that is stored at the decision. The event and the post name the version.
 */
export class ApprovePost extends RequestCommand<ReasonedRequest, WrittenPost> {}

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

/** Removes a suggestion from the queue. */
export class RejectPost extends RequestCommand<ReasonedRequest, WrittenPost> {}

@CommandHandler(RejectPost)
export class RejectPostHandler implements ICommandHandler<RejectPost> {
  constructor(private readonly access: PostsAccess) {}

  execute({ request: { reason = null, ...request } }: RejectPost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    return this.access.decide({ ...request, scopes: ['posts.write'] }, () => () => reject(by, reason));
  }
}
