import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import type { WrittenPost } from './post-item.js';
import { ContentHasMoved } from './post.errors.js';
import type { Instant, PostContent } from './post.events.js';
import type { LivePost } from './post.js';
import { byOf, PostsAccess, scopesFor } from './posts.access.js';
import { fingerprintOf } from './posts.fingerprint.js';
import { PostsPreflight } from './posts.preflight.js';
import { Posts } from './posts.stream.js';
import { update } from './scheduling.js';
import type { Edit } from './writing.js';
import { withChanges } from './writing.js';

export interface PostUpdate {
  readonly postId: string;
  /** Fields not named stay; of a target, its parts not named. */
  readonly changes: Partial<PostContent>;
  /** Back to a draft, its time cleared. */
  readonly revert?: boolean;
  readonly scheduledAt?: Instant;
  /** It is to be scheduled, at the time it has when none is given. */
  readonly staysScheduled?: boolean;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** How often an edit is laid over a text that somebody else changed meanwhile. */
const TRIES = 4;

/**
 * Edits are checked by the network's rules before they are decided on, on the text as it was read. When somebody
 * changed it in between, the fields of this edit are laid over the newer text, and that is checked instead.
 */
@Injectable()
export class PostsEditor {
  constructor(
    private readonly access: PostsAccess,
    private readonly preflight: PostsPreflight,
    private readonly posts: Posts,
  ) {}

  async apply(request: PostUpdate): Promise<WrittenPost> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.applyOnce(request);
      } catch (error) {
        if (!(error instanceof ContentHasMoved) || tried === TRIES) throw error;
      }
    }
  }

  private async applyOnce(request: PostUpdate): Promise<WrittenPost> {
    const { postId, caller, revert, scheduledAt, staysScheduled, ifVersion } = request;
    const scopes = scopesFor({ setsTime: scheduledAt !== undefined && !caller.isAutomation });
    const reached = await this.access.reach(postId, caller, ...scopes);
    const edit = await this.checked(reached.post, request);
    const { maySchedule } = reached;
    const change = { edit, revert, scheduledAt, staysScheduled, by: byOf(caller), maySchedule };
    return this.posts.decide(reached, (now) => update(change, now), ifVersion);
  }

  private async checked(
    { platform, content: read }: LivePost,
    { changes, caller }: PostUpdate,
  ): Promise<Edit | undefined> {
    if (Object.values(changes).every((value) => value === undefined)) return undefined;
    const content = withChanges(read, changes);
    const blockers = await this.preflight.blockers(platform, content);
    return { read, content, blockers, fingerprint: fingerprintOf(content), by: byOf(caller) };
  }
}
