import type { Instant } from '#libs/content';
import { domainError } from '#libs/errors';

export class PublishingInProgress extends domainError(
  'conflict',
  'publishing_in_progress',
  'The post is being sent to the network. Read it again in a few seconds.',
) {}

export class DeliveryIsUnconfirmed extends domainError(
  'conflict',
  'delivery_unconfirmed',
  'The post may already be live. Check the account on the network, then resolve the delivery. After that it can be changed or sent again.',
) {}

export class DeliveryIsNotUnconfirmed extends domainError(
  'conflict',
  'delivery_not_unconfirmed',
  'Delivery is not unconfirmed. Only a failed post with the failure class unconfirmed can be resolved.',
) {}

/** The network does not issue ids of this form. */
export class PlatformPostIdIsNotValid extends domainError('invalid', 'platform_post_id_not_valid', {
  detail:
    'platformPostId is not an id of a post on this network. Copy it from the address of the post there.',
  errors: [
    {
      pointer: '#/platformPostId',
      code: 'not_a_post_id',
      detail: 'must be an id of a post on this network',
    },
  ],
}) {}

/**
 * Another post of this service already has the id on the network.
 * @param otherPostId null if the caller may not see it, or it is deleted
 */
export class PlatformPostIdIsTaken extends domainError(
  'conflict',
  'platform_post_id_taken',
  (otherPostId: string | null) => ({
    detail: 'Another post already has this id on the network. Find the id of this post.',
    errors: [{ pointer: '#/platformPostId', code: 'taken', detail: 'must not be the id of another post' }],
    members: otherPostId === null ? {} : { otherPostId },
  }),
) {}

export class PostIsNotScheduled extends domainError(
  'conflict',
  'post_is_not_scheduled',
  (status: string) => `Only a scheduled post can be sent. The status of this post is ${status}.`,
) {}

/** The publisher recorded a result for an attempt that is not the open one: another worker took the post over. */
export class AttemptIsNotOpen extends domainError(
  'conflict',
  'attempt_not_open',
  (attemptId: string | null) => `Attempt ${attemptId ?? '(none)'} is not the open attempt of this post.`,
) {}

/** The scheduled time, or the end of a hold, is in the future. */
export class PostIsNotDue extends domainError(
  'conflict',
  'post_is_not_due',
  (dueAt: Instant) => `The post is not due before ${dueAt}.`,
) {}
