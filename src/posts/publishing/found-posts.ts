import { inDoubt } from '#libs/content';
import type { Executor } from '#libs/database';
import { OTHER_POST_WITH_PLATFORM_ID, LOCK_PLATFORM_POST_ID } from './platform-post-ids.statements.js';
import type { Outcome } from './attempt.js';

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
