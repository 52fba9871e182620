import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Finding, Instant } from '#libs/content';
import { blockersIn } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import type { WrittenPost } from '../views/post-item.js';
import { actorOf, PostsAccess, requiredScopes } from './posts.access.js';
import { reschedule } from '../domain/scheduling.js';

export interface Reschedule {
  readonly postId: string;
  readonly scheduledAt: Instant;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** For a post that is scheduled, failed, or approved without a time. Needs posts.write and calendar.write. */
export class ReschedulePost extends Command<WrittenPost> {
  constructor(readonly request: Reschedule) {
    super();
  }
}

@CommandHandler(ReschedulePost)
export class ReschedulePostHandler implements ICommandHandler<ReschedulePost> {
  constructor(
    private readonly access: PostsAccess,
    private readonly preflights: PreflightRequests,
  ) {}

  async execute({ request: { scheduledAt, ...request } }: ReschedulePost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    const scopes = requiredScopes({ setsTime: true });
    let findings: readonly Finding[] | undefined;
    const written = await this.access.decide({ ...request, scopes }, async ({ post }) => {
      findings = await this.preflights.findingsOfDraft(post);
      return (now) => reschedule(scheduledAt, by, now, blockersIn(findings));
    });
    return { ...written, findings };
  }
}
