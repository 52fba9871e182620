import { setTimeout as sleep } from 'node:timers/promises';
import { dueAtOf, hold } from '../domain/delivery.js';
import type { ExistingPost, Scheduled } from '../domain/post.js';
import type { LoadedPost, PostChange, PublisherPosts } from './publisher-posts.js';

/** An attempt of a claim that failed while it was stored: it was not handed to a sender. */
export interface Unsent {
  readonly postId: string;
  readonly attemptId: string;
  readonly organizationId: string;
  /** Of the post, on which the claim was decided. */
  readonly version: number;
}

const LOOK_EVERY_MS = 250;
/** The database may still be storing the claim when its connection is lost, for as long as a replica delays a COMMIT. */
const LOOKS = 40;

/**
 * Puts back attempts that the database stored although their claim failed, as when the connection is lost at COMMIT. Only this
 * process knows that they were not sent. What it does not put back is taken over later as an attempt in doubt. Never throws.
 */
export async function putBackUnsent(
  posts: Pick<PublisherPosts, 'load' | 'store'>,
  attempts: readonly Unsent[],
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<void> {
  let rest = attempts;
  for (let looks = 0; rest.length > 0 && looks < LOOKS;) {
    await pause(LOOK_EVERY_MS);
    try {
      rest = await putBackOnce(posts, rest);
      looks += 1;
    } catch {
      // The database is still away: the claims that follow log it.
    }
  }
}

/** @returns those that are not put back yet and may be stored */
async function putBackOnce(
  posts: Pick<PublisherPosts, 'load' | 'store'>,
  attempts: readonly Unsent[],
): Promise<Unsent[]> {
  const loaded = await posts.load(attempts.map(({ postId }) => postId));
  const changes = attempts.flatMap((attempt) => putBackOf(attempt, loaded.get(attempt.postId)) ?? []);
  if (changes.length > 0) await posts.store(changes, { changesOf: (items) => Promise.resolve(items) });
  const open = new Set(changes.map(({ postId }) => postId));
  return attempts.filter(
    ({ postId, version }) => open.has(postId) || loaded.get(postId)?.version === version,
  );
}

/** The post keeps its due time: whether a lost attempt may have sent it depends on that. */
function putBackOf(
  { postId, attemptId, organizationId }: Unsent,
  from: LoadedPost | undefined,
): PostChange | undefined {
  if (!from || !isOpen(from.state, attemptId)) return undefined;
  const held = { attemptId, until: dueAtOf(from.state), reason: 'interrupted' };
  return { postId, organizationId, from, events: hold(held)(from.state) };
}

const isOpen = (post: ExistingPost, attemptId: string): post is Scheduled =>
  post.status === 'scheduled' && post.attempt?.attemptId === attemptId;
