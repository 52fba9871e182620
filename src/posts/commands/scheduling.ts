import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Finding, Instant } from '#libs/content';
import { RequestCommand } from '#libs/messages';
import { blockersIn } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import { remove, reschedule, retry } from '../domain/scheduling.js';
import type { WrittenPost } from '../views/post-item.js';
import {
  actorOf,
  type PostRequest,
  PostsAccess,
  type ReasonedRequest,
  requiredScopes,
} from './posts.access.js';

interface Reschedule extends PostRequest {
  readonly scheduledAt: Instant;
}

/** For a post that is scheduled, failed, or approved without a time. Needs posts.write and calendar.write. */
export class ReschedulePost extends RequestCommand<Reschedule, WrittenPost> {}

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

/** Makes a failed post due now. Needs posts.write and calendar.write. */
export class RetryPost extends RequestCommand<ReasonedRequest, WrittenPost> {}

@CommandHandler(RetryPost)
export class RetryPostHandler implements ICommandHandler<RetryPost> {
  constructor(private readonly access: PostsAccess) {}

  execute({ request: { reason = null, ...request } }: RetryPost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    const scopes = requiredScopes({ setsTime: true });
    return this.access.decide({ ...request, scopes }, () => (now) => retry(by, reason, now));
  }
}

/** Deletes a post here, never on the network; its history stays in the audit. */
export class DeletePost extends RequestCommand<PostRequest, void> {}

@CommandHandler(DeletePost)
export class DeletePostHandler implements ICommandHandler<DeletePost> {
  constructor(private readonly access: PostsAccess) {}

  async execute({ request }: DeletePost): Promise<void> {
    const by = actorOf(request.caller);
    await this.access.change({ ...request, scopes: ['posts.write'] }, () => () => remove(by));
  }
}
