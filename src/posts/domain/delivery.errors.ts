import type { Instant } from '#libs/content';
import { DomainError } from '#libs/errors';

export class PublishingInProgress extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'publishing_in_progress';

  constructor() {
    super('The post is being sent to the network. Read it again in a few seconds.');
  }
}

export class DeliveryIsUnconfirmed extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'delivery_unconfirmed';

  constructor() {
    super(
      'The post may already be live. Check the account on the network, then resolve the delivery. After that it can be changed or sent again.',
    );
  }
}

export class DeliveryIsNotUnconfirmed extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'delivery_not_unconfirmed';

  constructor() {
    super(
      'Delivery is not unconfirmed. Only a failed post with the failure class unconfirmed can be resolved.',
    );
  }
}

/** The network does not issue ids of this form. */
export class PlatformPostIdIsNotValid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform_post_id_not_valid';

  constructor() {
    super(
      'platformPostId is not an id of a post on this network. Copy it from the address of the post there.',
      {
        errors: [
          {
            pointer: '#/platformPostId',
            code: 'not_a_post_id',
            detail: 'must be an id of a post on this network',
          },
        ],
      },
    );
  }
}

/** Another post of this service already has the id on the network. */
export class PlatformPostIdIsTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'platform_post_id_taken';

  /** @param otherPostId null if the caller may not see it, or it is deleted */
  constructor(otherPostId: string | null) {
    super('Another post already has this id on the network. Find the id of this post.', {
      errors: [{ pointer: '#/platformPostId', code: 'taken', detail: 'must not be the id of another post' }],
      members: otherPostId === null ? {} : { otherPostId },
    });
  }
}

export class PostIsNotScheduled extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_not_scheduled';

  constructor(status: string) {
    super(`Only a scheduled post can be sent. The status of this post is ${status}.`);
  }
}

/** The publisher recorded a result for an attempt that is not the open one: another worker took the post over. */
export class AttemptIsNotOpen extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'attempt_not_open';

  constructor(attemptId: string | null) {
    super(`Attempt ${attemptId ?? '(none)'} is not the open attempt of this post.`);
  }
}

/** The scheduled time, or the end of a hold, is in the future. */
export class PostIsNotDue extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'post_is_not_due';

  constructor(dueAt: Instant) {
    super(`The post is not due before ${dueAt}.`);
  }
}
