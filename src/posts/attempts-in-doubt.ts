import type { Instant, PostContent, PostEvent } from './post.events.js';

export type RecordedPostEvent = PostEvent & { readonly at: Instant };

/** An attempt of which nobody here knows what the network made. */
export interface AttemptInDoubt {
  readonly attemptId: string;
  readonly connectionId: string;
  /** What was sent. */
  readonly content: PostContent;
  readonly startedAt: Instant;
}

/**
 * Attempts of one post that may own a post on the network whose id is not known here: those that are open, those that
 * ended unconfirmed, and those a person settled as not delivered, because the network may show them later.
 */
export function attemptsInDoubt(history: readonly RecordedPostEvent[]): readonly AttemptInDoubt[] {
  const attempts = new Map<string, AttemptInDoubt>();
  let content: PostContent | undefined;
  let last = '';
  for (const event of history) {
    if ('content' in event.data) ({ content } = event.data);
    if (event.type === 'PublishAttemptStarted' && content !== undefined) {
      const { attemptId, connectionId } = event.data;
      attempts.set(attemptId, { attemptId, connectionId, content, startedAt: event.at });
      last = attemptId;
    }
    if (isCertain(event)) attempts.delete(last);
  }
  return [...attempts.values()];
}

/** After it, what became of the last attempt is known: it had no effect, or an effect whose id is known. */
function isCertain(event: PostEvent): boolean {
  switch (event.type) {
    case 'PostHeld':
    case 'PostPublished':
      return true;
    case 'PostPublishFailed':
      return event.data.failure.class !== 'unconfirmed';
    case 'DeliveryResolved':
      return event.data.delivered || event.data.by.type === 'system';
    default:
      return false;
  }
}
