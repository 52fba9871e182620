import { inDoubt, type Instant } from '#libs/content';
import { mustMatchOpenAttempt, recordFailed, recordStep } from './delivery.js';
import type { PostEvent } from './post.events.js';
import { eventIdsOf, mustExist, type Post } from './post.js';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;
/** Of what the post has waited: each check is an event in its history. */
const SHARE = 0.1;

export interface NextCheck {
  readonly attemptId: string;
  /** That the network returned for this post, by a name that its provider chose. */
  readonly ids: Readonly<Record<string, string>>;
  /** Milliseconds after which the network can be asked. */
  readonly milliseconds: number;
  readonly now: Instant;
  /** Milliseconds from the first answer, after which a person decides. */
  readonly budgetMs: number;
}

/** The attempt waits for the decision of its network, and ends unconfirmed after its budget: the post may still become live. */
export const scheduleCheck =
  ({ attemptId, ids, milliseconds, now, budgetMs }: NextCheck) =>
  (state: Post): PostEvent[] => {
    const post = mustMatchOpenAttempt(mustExist(state), attemptId);
    const recorded = Object.entries(ids).flatMap(([step, networkId]) =>
      recordStep({ attemptId, step, networkId })(post),
    );
    const waitedMs = Date.parse(now) - Date.parse(post.attempt?.undecided?.since ?? now);
    if (waitedMs > 0 && waitedMs >= budgetMs)
      return [...recorded, ...recordFailed({ attemptId, failure: undecided })(post)];
    const wait = Math.min(LONGEST_MS, Math.max(milliseconds, SHORTEST_MS, waitedMs * SHARE));
    const checkAt = new Date(Date.parse(now) + wait).toISOString();
    return [
      ...recorded,
      { type: 'PublishCheckScheduled', data: { ...eventIdsOf(post), attemptId, checkAt } },
    ];
  };

const undecided = inDoubt(
  'The network accepted this post and did not decide within hours whether it publishes it. The post may become live.',
  'undecided',
);
