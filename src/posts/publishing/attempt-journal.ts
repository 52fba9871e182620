import type { Database } from '#libs/database';
import { StreamHasMoved } from '#libs/event-store';
import type { Changed } from '#libs/event-store';
import { recordStep } from '../domain/delivery.js';
import type { Post } from '../domain/post.js';
import { exists } from '../domain/post.js';
import type { Posts } from '../posts.stream.js';
import type { Claimed } from './claims.js';
import { workerContext } from './metadata.js';

/** The attempt has ended meanwhile: another worker took it over. */
export class AttemptIsTakenOver extends Error {
  constructor() {
    super('Another worker has taken this attempt over.');
    this.name = 'AttemptIsTakenOver';
  }
}

/**
 * Records what the network named on the way to a post, each on the version that the entry before it made: an attempt that was
 * taken over records nothing more, its outcome neither.
 */
export class AttemptJournal {
  private last: Changed<Post>;

  constructor(
    private readonly database: Database,
    private readonly posts: Posts,
    private readonly claimed: Claimed,
  ) {
    this.last = claimed.changed;
  }

  /** The post after the last entry: the outcome is decided on it. */
  get changed(): Changed<Post> {
    return this.last;
  }

  /** In the running transaction, if there is one; once in each: it moves on when that is committed. @throws AttemptIsTakenOver */
  async record(ids: Readonly<Record<string, string>>): Promise<void> {
    const { postId: id, attemptId, organizationId } = this.claimed;
    const { state, at } = this.last;
    if (!exists(state)) throw new AttemptIsTakenOver();
    const events = Object.entries(ids).flatMap(([step, networkId]) =>
      recordStep({ attemptId, step, networkId })(state),
    );
    const context = workerContext(organizationId, state.brandId);
    const [changed] = await this.database.transaction((transaction) =>
      this.posts.changeMany(transaction, [{ id, from: { ...this.last, now: at }, events, context }]),
    );
    if (!changed || changed instanceof StreamHasMoved) throw new AttemptIsTakenOver();
    this.database.afterCommit(() => {
      this.last = changed;
    });
  }
}
