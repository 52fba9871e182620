import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { WrittenPost } from '../views/post-item.js';
import type { By } from '../domain/post.events.js';
import type { ExistingPost } from '../domain/post.js';
import { actorOf, PostsAccess, requiredScopes } from './posts.access.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { ContentPreflight } from '../content/content-preflight.js';
import { ContentReferences } from '../content/content-references.js';
import type { Update } from '../domain/scheduling.js';
import { update } from '../domain/scheduling.js';
import type { ContentChanges, Edit } from '../domain/writing.js';
import { withChanges } from '../domain/writing.js';

export interface PostUpdate extends Omit<Update, 'edit' | 'by' | 'maySchedule'> {
  readonly postId: string;
  readonly changes: ContentChanges;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** Text, target and time of what is not published. A time takes calendar.write too, a proposed one does not. */
export class UpdatePost extends Command<WrittenPost> {
  constructor(readonly update: PostUpdate) {
    super();
  }
}

/**
 * Edits are checked by the network's rules before they are decided on, on the text as it was read. When somebody
 * changed it in between, the fields of this edit are laid over the newer text, and that is checked instead.
 */
@CommandHandler(UpdatePost)
export class UpdatePostHandler implements ICommandHandler<UpdatePost> {
  constructor(
    private readonly access: PostsAccess,
    private readonly preflight: ContentPreflight,
    private readonly references: ContentReferences,
  ) {}

  execute({ update: { postId, caller, ifVersion, changes, ...times } }: UpdatePost): Promise<WrittenPost> {
    const by = actorOf(caller);
    const setsTime = times.scheduledAt !== undefined && !caller.isAutomation;
    const change = { postId, caller, ifVersion, scopes: requiredScopes({ setsTime }) };
    return this.access.decide(change, async ({ post, maySchedule }) => {
      const edit = await this.checked(post, changes, by);
      return (now) => update({ ...times, edit, by, maySchedule }, now);
    });
  }

  private async checked(
    { brandId, platform, content: read }: ExistingPost,
    changes: ContentChanges,
    by: By,
  ): Promise<Edit | undefined> {
    if (Object.values(changes).every((value) => value === undefined)) return undefined;
    const content = withChanges(read, changes);
    await this.references.mustExist(brandId, content, read);
    const blockers = await this.preflight.blockers(platform, content);
    return { content, blockers, fingerprint: fingerprintOf(content), by };
  }
}
