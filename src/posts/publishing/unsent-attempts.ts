import { Alarm } from '#libs/clock';
import type { Instant } from '#libs/content';
import { hold } from '../domain/delivery.js';
import type { ExistingPost, Scheduled } from '../domain/post.js';
import {
  isStored,
  type LoadedPost,
  type PublisherPosts,
  type PublishingChange,
  type StoreResult,
} from './publisher-posts.js';

/** An attempt of a claim that failed while it was stored: it was not handed to a sender. */
export interface Unsent {
  readonly postId: string;
  readonly attemptId: string;
  readonly organizationId: string;
  /** Of the post, on which the claim was decided. */
  readonly version: number;
  /** Of the post before the claim. Whether an attempt that the database lost may have sent the post depends on it. */
  readonly dueAt: Instant;
}

const FIRST_PAUSE_MS = 250;
/** A claim that appears late is taken over by any worker, which looks for about seven seconds: the put back has to be earlier. */
const MAX_PAUSE_MS = 5_000;
/** Of these the oldest are left to takeovers. */
const MAX_ATTEMPTS = 10_000;

/**
 * Puts back attempts that the database stored although their claim failed, as when the connection is lost at COMMIT. Only this
 * process knows that they were not sent. While a post is unchanged its claim may still be stored: a COMMIT waits for a
 * synchronous replica without limit. One load for all of them at each look.
 */
export class UnsentAttempts {
  private readonly attempts = new Map<string, Unsent>();
  private looking: Promise<void> | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private ended = false;

  constructor(
    private readonly posts: Pick<PublisherPosts, 'load' | 'store'>,
    private readonly alarm: Pick<Alarm, 'sleep' | 'ring'> = new Alarm(),
  ) {}

  add(attempts: readonly Unsent[]): void {
    if (attempts.length === 0) return;
    for (const each of attempts) this.attempts.set(each.attemptId, each);
    const excess = this.attempts.size - MAX_ATTEMPTS;
    if (excess > 0) for (const id of [...this.attempts.keys()].slice(0, excess)) this.attempts.delete(id);
    this.pauseMs = FIRST_PAUSE_MS;
    this.alarm.ring();
    this.looking ??= this.look();
  }

  /** Resolves after one more look, once the database answers. What is not put back by then is taken over as in doubt. */
  async end(): Promise<void> {
    this.ended = true;
    this.alarm.ring();
    await this.looking;
  }

  /** Never throws. */
  private async look(): Promise<void> {
    while (this.attempts.size > 0) {
      await this.alarm.sleep(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
      const isLast = this.ended;
      try {
        await this.putBack([...this.attempts.values()]);
        if (isLast) break;
      } catch {
        // The database is still away: the claims that follow log it.
      }
    }
    this.looking = undefined;
  }

  private async putBack(attempts: readonly Unsent[]): Promise<void> {
    const loaded = await this.posts.load([...new Set(attempts.map(({ postId }) => postId))]);
    const changes: PutBack[] = [];
    for (const attempt of attempts) {
      const from = loaded.get(attempt.postId);
      const change = putBackOf(attempt, from);
      if (change) changes.push(change);
      else if (from?.version !== attempt.version) this.attempts.delete(attempt.attemptId);
    }
    if (changes.length === 0) return;
    const answers = await this.posts.store(changes, { changesOf: (items) => Promise.resolve(items) });
    for (const [index, { attemptId }] of changes.entries())
      if (isEnded(answers[index])) this.attempts.delete(attemptId);
  }
}

interface PutBack extends PublishingChange {
  readonly attemptId: string;
}

function putBackOf(
  { postId, attemptId, organizationId, dueAt }: Unsent,
  from: LoadedPost | undefined,
): PutBack | undefined {
  if (!from || !isOpen(from.state, attemptId)) return undefined;
  const held = { attemptId, until: dueAt, reason: 'interrupted' };
  return { postId, attemptId, organizationId, from, events: hold(held)(from.state) };
}

/** An attempt whose put back the database refuses is left to a takeover: it would be refused at every look. */
const isEnded = (answer: StoreResult | undefined): boolean => isStored(answer) || answer === 'refused';

const isOpen = (post: ExistingPost, attemptId: string): post is Scheduled =>
  post.status === 'scheduled' && post.attempt?.attemptId === attemptId;
