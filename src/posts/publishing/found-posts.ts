import { inDoubt } from '#libs/content';
import { type Executor, statement } from '#libs/database';
import type { Outcome } from './attempt.js';

/** $1 the network's id. Until the transaction ends, no other resolution assigns this id to a post. */
export const LOCK_PLATFORM_POST_ID = statement(
  'posts_one_gives_an_id',
  `SELECT pg_advisory_xact_lock(hashtextextended('posts.platform post id ' || $1, 0))`,
);

/**
 * $1 the network's id, $2 a post: another post of the same platform with this id, deleted posts included. Ids are unique
 * per network, not per account.
 */
export const OTHER_POST_WITH_PLATFORM_ID = statement(
  'posts_given_to_another',
  `SELECT given.stream AS "postId" FROM events.event AS given
   JOIN events.event AS theirs ON theirs.stream = given.stream AND theirs.version = 1
   JOIN events.event AS ours ON ours.stream = $2 AND ours.version = 1
   WHERE given.type IN ('PostPublished', 'DeliveryResolved') AND given.data->>'platformPostId' = $1
     AND given.stream <> $2 AND theirs.data->>'platform' = ours.data->>'platform'
   LIMIT 1`,
);

interface AttemptOutcome {
  readonly attempt: { readonly postId: string };
  readonly outcome: Outcome;
}

const HAS_ANOTHER_POST: Outcome = {
  kind: 'failed',
  failure: inDoubt('What was found on the network belongs to another post. This post may be live.'),
};

/**
 * The outcomes that may be stored in this transaction, in their order. A post found on the network is evidence only while no other
 * post has its id, nor another outcome of this batch. Locks the ids in their order, so that two transactions cannot deadlock.
 */
export async function confirmFound(
  transaction: Executor,
  batch: readonly AttemptOutcome[],
): Promise<Outcome[]> {
  const outcomes = new Map(batch.map((each) => [each, each.outcome]));
  const given = new Set<string>();
  for (const [each, id] of foundIn(batch)) {
    await transaction.query(LOCK_PLATFORM_POST_ID, [id]);
    const others = await transaction.query(OTHER_POST_WITH_PLATFORM_ID, [id, each.attempt.postId]);
    if (others.length > 0 || given.has(id)) outcomes.set(each, HAS_ANOTHER_POST);
    given.add(id);
  }
  return [...outcomes.values()];
}

function foundIn(batch: readonly AttemptOutcome[]): (readonly [AttemptOutcome, string])[] {
  const found = batch.flatMap((each) =>
    each.outcome.kind === 'published' && each.outcome.isFound
      ? [[each, each.outcome.platformPostId] as const]
      : [],
  );
  return found.sort(([, a], [, b]) => (a < b ? -1 : 1));
}
