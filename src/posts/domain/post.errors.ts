import type { Instant } from '#libs/content';
import type { DomainErrorOptions } from '#libs/errors';
import { DomainError } from '#libs/errors';
import type { Blocker } from './post.events.js';

/** There is no such post, or none the caller may know of: the two answer alike. */
export class PostNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'post_not_found';

  constructor() {
    super('There is no such post.');
  }
}

export class PublishingInProgress extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'publishing_in_progress';

  constructor() {
    super('This post is being sent to the network right now. Look again in a few seconds.');
  }
}

export class DeliveryIsUnconfirmed extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'delivery_unconfirmed';

  constructor() {
    super(
      'This post may already be live. Look at the account on the network, then resolve the delivery; it can be changed or sent again after that.',
    );
  }
}

export class DeliveryIsNotUnconfirmed extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'delivery_not_unconfirmed';

  constructor() {
    super('Nothing is to be resolved here: the delivery of this post is not in doubt.');
  }
}

/** No post of this network has such an id. */
export class PlatformPostIdIsNotValid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform_post_id_not_valid';

  constructor() {
    super('This cannot be the id of a post on this network. It stands in the address of the post there.', {
      errors: [{ pointer: '#/platformPostId', code: 'not_a_post_id', detail: 'is no id of this network' }],
    });
  }
}

/** What is there on the network is one post of ours already. */
export class PlatformPostIdIsTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'platform_post_id_taken';

  /** @param otherPostId null when the caller may not see it, or it is deleted. */
  constructor(otherPostId: string | null) {
    super('Another post is published under this id of the network already. Look for the id of this one.', {
      errors: [{ pointer: '#/platformPostId', code: 'taken', detail: 'must not be the id of another post' }],
      members: otherPostId === null ? {} : { otherPostId },
    });
  }
}

export class PostIsPublished extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_published';

  constructor() {
    super('This post is published. What is live is not rewritten here.');
  }
}

export class PostIsNotQueued extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_not_queued';

  constructor(status: string) {
    super(
      `Only a scheduled or failed post, or an approved one that needs a time, can be moved; this is a ${status}.`,
    );
  }
}

export class PostIsNotScheduled extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_not_scheduled';

  constructor(status: string) {
    super(`Only a scheduled post can be sent; this one is ${status}.`);
  }
}

export class PostHasNotFailed extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_has_not_failed';

  constructor(status: string) {
    super(`Only a failed post can be retried; this one is ${status}.`);
  }
}

export class PostIsNotPending extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_not_pending';

  constructor() {
    super('Only a suggestion that waits for a decision can be approved or rejected.');
  }
}

export class ApprovalIsMissing extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'approval_missing';

  constructor(state: 'pending' | 'rejected') {
    super(
      state === 'pending'
        ? 'This suggestion waits for approval; approve it, then give it a time.'
        : 'This suggestion was rejected; edit it, have it approved, then give it a time.',
    );
  }
}

/** What an automation wrote part of, another decides, however many have edited it since. */
export class SuggestionIsYourOwn extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'suggestion_is_your_own';

  constructor() {
    super(
      'A service principal or an API key wrote part of this, and approves nothing it had a part in; all keys count as one. Ask a person to approve it.',
    );
  }
}

/** Approving a suggestion whose proposed time is ahead, or moving what needs no approval, takes the calendar's scope as well. */
export class SchedulingIsNotAllowed extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'insufficient_scope';

  constructor() {
    super('Giving a post its time needs the scope calendar.write as well.', {
      members: { requiredScopes: ['posts.write', 'calendar.write'] },
    });
  }
}

const at = (code: string, detail: string): DomainErrorOptions => ({
  errors: [{ pointer: '#/scheduledAt', code, detail }],
});

export class ScheduleIsInThePast extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule_in_the_past';

  constructor(scheduledAt: Instant) {
    super(
      `${scheduledAt} has passed; a post needs a time still ahead.`,
      at('in_past', 'must be in the future'),
    );
  }
}

/** Asked to be scheduled, but neither the request nor the post says when. */
export class ScheduleIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule_missing';

  constructor() {
    super('A post is scheduled for a time; say when.', at('required', 'is required'));
  }
}

export class ScheduleIsTooFarAhead extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule_too_far_ahead';

  constructor(latest: Instant) {
    super(
      `A post is scheduled five years ahead at most, now up to ${latest}.`,
      at('too_far_ahead', `must not be after ${latest}`),
    );
  }
}

/** Refused when it would be scheduled or approved: better now than at the hour it should go out. */
export class ContentCannotBePublished extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'content_cannot_be_published';

  constructor(blockers: readonly Blocker[]) {
    super('The network would refuse this post as it stands.', {
      errors: blockers.map(({ ruleId, message, pointer }) => ({ pointer, code: ruleId, detail: message })),
    });
  }
}

export class PostIsEmpty extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'post_is_empty';

  constructor() {
    super('A post needs a text or media.', {
      errors: [
        { pointer: '#/text', code: 'required', detail: 'must not be empty unless the post has media' },
      ],
    });
  }
}

/** The publisher spoke of an attempt that is not the open one: somebody else has this post. */
export class AttemptIsNotOpen extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'attempt_not_open';

  constructor(attemptId: string | null) {
    super(`Attempt ${attemptId ?? '(none)'} is not the open attempt of this post.`);
  }
}

/** The publisher was too early: its time, or the time it is held until, is still ahead. */
export class PostIsNotDue extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_not_due';

  constructor(dueAt: Instant) {
    super(`This post is due at ${dueAt}, not before.`);
  }
}

/** What would be sent is not what was approved. */
export class ApprovalIsForOtherContent extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'approval_for_other_content';

  constructor() {
    super('The content differs from what was approved. Edit the post, or have it approved again.');
  }
}
