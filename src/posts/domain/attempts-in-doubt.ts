import type { Instant } from '#libs/content';
import type { PostContent, PostEvent } from './post.events.js';

export type RecordedPostEvent = PostEvent & { readonly at: Instant };

/** An attempt of which nobody here knows what the network made. */
export interface AttemptInDoubt {
  /** null: the database lost it. */
  readonly connectionId: string | null;
  /** What was sent. */
  readonly content: PostContent;
  /** It began then or later: the time of the post, because an attempt may stand for an earlier one that was lost. */
  readonly since: Instant;
}

/**
 * Attempts of one post that may own a post on the network whose id is not known here: those that are open, those that
 * ended unconfirmed, and those a person settled as not delivered, because the network may show them later.
 */
export function attemptsInDoubt(history: readonly RecordedPostEvent[]): readonly AttemptInDoubt[] {
  const attempts: AttemptInDoubt[] = [];
  let open: AttemptInDoubt | undefined;
  let content: PostContent | undefined;
  let since: Instant | undefined;
  for (const event of history) {
    if ('content' in event.data) ({ content } = event.data);
    if ('scheduledAt' in event.data) since = event.data.scheduledAt;
    const connectionId = connectionOfStart(event);
    if (connectionId !== undefined && content !== undefined) {
      open = { connectionId, content, since: since ?? event.at };
      attempts.push(open);
    }
    if (endsDoubt(event) && open !== undefined) attempts.splice(attempts.indexOf(open), 1);
    if (endsDoubt(event)) open = undefined;
  }
  return attempts;
}

/** The connection of an attempt that begins with this event, null of one that was lost; undefined: none begins. */
function connectionOfStart(event: PostEvent): string | null | undefined {
  if (event.type === 'PublishAttemptStarted') return event.data.connectionId;
  if (event.type !== 'PostPublishFailed' || event.data.attemptId !== null) return undefined;
  return event.data.failure.class === 'unconfirmed' ? null : undefined;
}

/** After it, what became of the last attempt is known: it had no effect, or an effect whose id is known. */
function endsDoubt(event: PostEvent): boolean {
  switch (event.type) {
    case 'PostPublished':
      return true;
    case 'PostHeld':
      return event.data.attemptId !== null;
    case 'PostPublishFailed':
      return event.data.attemptId !== null && event.data.failure.class !== 'unconfirmed';
    case 'DeliveryResolved':
      return event.data.delivered || event.data.by.type === 'system';
    default:
      return false;
  }
}
