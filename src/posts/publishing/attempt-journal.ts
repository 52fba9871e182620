import { type Changed, StreamHasMoved } from '#libs/event-store';
import { recordStep } from '../domain/delivery.js';
import type { Post } from '../domain/post.js';
import type { Claimed } from './attempt.js';
import type { PublisherPosts } from './publisher-posts.js';

/** The attempt has ended meanwhile: another worker took it over. */
export class AttemptIsTakenOver extends Error {
  constructor() {
    super('Another worker has taken this attempt over.');
    this.name = 'AttemptIsTakenOver';
  }
}

/**
 * Records the ids that the network returns before it publishes, each on the version that the entry before it made: an attempt
 * that was taken over records nothing more, not even its outcome.
 */
export class AttemptJournal {
  private last: Changed<Post>;

  constructor(
    private readonly posts: Pick<PublisherPosts, 'append'>,
    private readonly claimed: Pick<Claimed, 'postId' | 'attemptId' | 'organizationId' | 'changed'>,
  ) {
    this.last = claimed.changed;
  }

  /** The post after the last committed entry: the outcome is decided on it. */
  get changed(): Changed<Post> {
    return this.last;
  }

  /** Joins the running transaction, at most once in each. @throws AttemptIsTakenOver */
  async record(ids: Readonly<Record<string, string>>): Promise<void> {
    const { postId, attemptId, organizationId } = this.claimed;
    const from = { ...this.last, now: this.last.at };
    const events = Object.entries(ids).flatMap(([step, networkId]) =>
      recordStep({ attemptId, step, networkId })(from.state),
    );
    const answer = await this.posts.append({ postId, organizationId, from, events }, (changed) => {
      this.last = changed;
    });
    if (answer instanceof StreamHasMoved) throw new AttemptIsTakenOver();
  }
}
