import type { Instant } from '#libs/content';
import { domainError, type DomainErrorOptions } from '#libs/errors';
import type { Blocker } from './post.events.js';

/** The post does not exist or belongs to another organization: both get the same response. */
export class PostNotFound extends domainError(
  'not-found',
  'post_not_found',
  'The post does not exist. Check its id.',
) {}

export class PostIsPublished extends domainError(
  'conflict',
  'post_is_published',
  'The post is published and cannot be changed here. Create a new post instead.',
) {}

export class PostIsNotQueued extends domainError(
  'conflict',
  'post_is_not_queued',
  (status: string) =>
    `Only a scheduled or failed post, or an approved post without a time, can be rescheduled. The status of this post is ${status}.`,
) {}

export class PostHasNotFailed extends domainError(
  'conflict',
  'post_has_not_failed',
  (status: string) => `Only a failed post can be retried. The status of this post is ${status}.`,
) {}

export class PostIsNotPending extends domainError(
  'conflict',
  'post_is_not_pending',
  'Only a pending suggestion can be approved or rejected.',
) {}

export class ApprovalIsMissing extends domainError(
  'conflict',
  'approval_missing',
  (state: 'pending' | 'rejected') =>
    state === 'pending'
      ? 'This suggestion is pending. Approve it, then schedule it.'
      : 'This suggestion was rejected. Edit it, have it approved, then schedule it.',
) {}

/** An automation cannot approve content that it wrote part of, even if others edited it since. */
export class SuggestionIsYourOwn extends domainError(
  'forbidden',
  'suggestion_is_your_own',
  'An automation cannot approve content that it wrote part of, or a time that it proposed. Ask a person, or an automation without a part in it, to approve it.',
) {}

/** Approval of a suggestion with a future proposed time schedules it, which needs the scope of the calendar as well. */
export class SchedulingIsNotAllowed extends domainError('forbidden', 'insufficient_scope', {
  detail: 'Scheduling a post also needs the scope calendar.write. Use a credential that has it.',
  members: { requiredScopes: ['posts.write', 'calendar.write'] },
}) {}

const at = (code: string, detail: string): DomainErrorOptions => ({
  errors: [{ pointer: '#/scheduledAt', code, detail }],
});

export class ScheduleIsInThePast extends domainError(
  'invalid',
  'schedule_in_the_past',
  (scheduledAt: Instant) => ({
    detail: `scheduledAt must be in the future, ${scheduledAt} is not. Send a later time.`,
    ...at('in_past', 'must be in the future'),
  }),
) {}

/** Neither the request nor the post has a time. */
export class ScheduleIsMissing extends domainError('invalid', 'schedule_missing', {
  detail: 'scheduledAt is required for a scheduled post. Send it.',
  ...at('required', 'is required'),
}) {}

export class ScheduleIsTooFarAhead extends domainError(
  'invalid',
  'schedule_too_far_ahead',
  (latest: Instant) => ({
    detail: `scheduledAt must be within five years. Send ${latest} or an earlier time.`,
    ...at('too_far_ahead', `must not be after ${latest}`),
  }),
) {}

/** Refused at scheduling or approval, so that it does not fail at its scheduled time. */
export class ContentCannotBePublished extends domainError(
  'invalid',
  'content_cannot_be_published',
  (blockers: readonly Blocker[]) => ({
    detail: 'The network would refuse this post. Correct the fields in errors.',
    errors: blockers.map(({ ruleId, message, pointer }) => ({ pointer, code: ruleId, detail: message })),
  }),
) {}

export class PostIsEmpty extends domainError('invalid', 'post_is_empty', {
  detail: 'The post has neither text nor media. Send one of them.',
  errors: [{ pointer: '#/text', code: 'required', detail: 'must not be empty unless the post has media' }],
}) {}

/** The stored content differs from the approved content. */
export class ApprovalIsForOtherContent extends domainError(
  'conflict',
  'approval_for_other_content',
  'The content differs from the approved content. Edit the post, or have it approved again.',
) {}
