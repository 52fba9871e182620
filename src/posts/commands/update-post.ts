import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Finding } from '#libs/content';
import { RequestCommand } from '#libs/messages';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { blockersIn, preflightOfWritten } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import type { IfLate } from '../domain/late-window.js';
import type { PostContent } from '../domain/post.events.js';
import type { ExistingPost } from '../domain/post.js';
import { type ScheduleIntent, update } from '../domain/update.js';
import { type ContentChanges, withChanges } from '../domain/writing.js';
import type { WrittenPost } from '../views/post-item.js';
import { actorOf, type PostRequest, PostsAccess, requiredScopes } from './posts.access.js';

export interface PostUpdate extends PostRequest {
  readonly changes: ContentChanges;
  readonly intent?: ScheduleIntent;
  readonly ifLate?: IfLate | null;
}

/** Changes content, target and schedule of an unpublished post. Scheduling needs calendar.write, proposing a time does not. */
export class UpdatePost extends RequestCommand<PostUpdate, WrittenPost> {}

/**
 * Preflight runs before the decision, on the content that was read. After a concurrent change, the sent fields are
 * applied to the newer content, which is checked instead.
 */
@CommandHandler(UpdatePost)
export class UpdatePostHandler implements ICommandHandler<UpdatePost> {
  constructor(
    private readonly access: PostsAccess,
    private readonly preflights: PreflightRequests,
  ) {}

  async execute({ request: { changes, intent, ifLate, ...request } }: UpdatePost): Promise<WrittenPost> {
    const by = actorOf(request.caller);
    const setsTime = intent?.kind === 'schedule' && !request.caller.isAutomation;
    const change = { ...request, scopes: requiredScopes({ setsTime }) };
    let findings: readonly Finding[] | undefined;
    const written = await this.access.decide(change, async ({ post, maySchedule }) => {
      const content = contentAfter(post, changes);
      if (content === undefined) {
        findings = setsTime ? await this.preflights.findingsOfDraft(post) : undefined;
        const blockers = blockersIn(findings);
        return (now) => update({ intent, ifLate, by, maySchedule, blockers }, now);
      }
      const request = await this.preflights.of({ ...post, content }, post.content);
      const { findings: found, ...recorded } = preflightOfWritten(request);
      findings = found;
      const edit = { content, ...recorded, fingerprint: fingerprintOf(content), by };
      return (now) => update({ edit, intent, ifLate, by, maySchedule }, now);
    });
    return { ...written, findings };
  }
}

/** undefined if the request changes no content. */
const contentAfter = ({ content }: ExistingPost, changes: ContentChanges): PostContent | undefined =>
  Object.values(changes).every((value) => value === undefined) ? undefined : withChanges(content, changes);
