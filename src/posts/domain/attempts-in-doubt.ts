import type { Instant } from '#libs/content';
import type { PostContent, PostEvent } from './post.events.js';

export type RecordedPostEvent = PostEvent & { readonly at: Instant };

/** An attempt whose result on the network is unknown. */
export interface AttemptInDoubt {
  /** null: the database lost the attempt. */
  readonly connectionId: string | null;
  /** What was sent. */
  readonly content: PostContent;
  /** Lower bound of its start: the scheduled time of the post, because an attempt can replace an earlier one that was lost. */
  readonly since: Instant;
}

/**
 * Attempts of one post that may have created a post on the network with an unknown id: open attempts, unconfirmed
 * attempts, and attempts that a person resolved as not delivered, because the network may show the post later.
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

/** The connection of the attempt that this event starts, null if the attempt was lost; undefined if none starts. */
function connectionOfStart(event: PostEvent): string | null | undefined {
  if (event.type === 'PublishAttemptStarted') return event.data.connectionId;
  if (event.type !== 'PostPublishFailed' || event.data.attemptId !== null) return undefined;
  return event.data.failure.class === 'unconfirmed' ? null : undefined;
}

/** Whether the result of the last attempt is known after this event: no effect, or a post with a known id. */
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
