import { FAILURE_CLASSES } from '#libs/content';
import { is, shape } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import {
  type BlockedBy,
  BlockerDto,
  type Failure,
  type PostDetails,
  PostFileDto,
  type PostItem,
  PostOptionsDto,
  RetryingDto,
  STATUSES,
} from '../../../posts/index.js';
import { type SafeAction, safeActionsOf } from '../../domain/safe-actions.js';

class ContentFailureDto extends shape({
  code: is.text({ description: 'Stable machine name.', example: 'rate_limited' }),
  class: is.text({
    description:
      '`unconfirmed`: it may be live; look, then resolve. `missed`: it was found too late to go out.',
    enum: FAILURE_CLASSES,
    example: 'transient',
  }),
  networkCode: is.text({ description: 'What the network calls it.', example: '429' }).orNull,
  message: is.text({ example: 'The network asked us to slow down.' }),
  nextStep: is.text({ example: 'Retry it in a few minutes.' }),
  failedAt: is.instant({ example: '2026-11-21T09:30:02.114Z' }),
  attemptId: is.text({ description: 'The attempt that failed, if it began.' }).orNull,
}) {
  static of(failure: Failure): ContentFailureDto {
    const { code, class: kind, networkCode, message, nextStep, failedAt, attemptId } = failure;
    return { code, class: kind, networkCode, message, nextStep, failedAt, attemptId };
  }
}

class RequirementsDto extends shape({
  scopes: is.texts({ description: 'Scopes the caller needs, all of them.', example: ['posts.write'] }),
  body: is.texts({ description: 'Members the body must have. None: it works without a body.', example: [] }),
}) {}

/** An allowed action on the current version of the item, as a complete request. */
class SafeActionDto
  extends shape({
    action: is.text({
      enum: ['edit', 'approve', 'reject', 'reschedule', 'retry', 'resolve'],
      example: 'approve',
    }),
    method: is.text<'PATCH' | 'POST'>({ enum: ['PATCH', 'POST'], example: 'POST' }),
    path: is.text({ example: '/api/content-ops/items/01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11/approve' }),
    version: is.integer({ description: 'The version it applies to.', example: 3 }),
    ifMatch: is.text({
      description: 'Send as If-Match: the action is refused (412) once the item has changed.',
      example: '"v3"',
    }),
    requires: is.object(() => RequirementsDto),
  })
  implements SafeAction {}

const instant = (description: string) => is.instant({ description, example: null }).orNull;

/** Past and planned times; UTC, milliseconds; null if not applicable. */
class TimestampsDto extends shape({
  createdAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
  updatedAt: is.instant({ example: '2026-11-21T09:30:00.000Z' }),
  proposedAt: instant('The time that the author proposed; an approval decides whether it applies.'),
  scheduledAt: instant('When it goes out, or was to.'),
  heldUntil: instant(
    'It is due, but waits until then at the latest: for limits of the network, its files, or a network that does not answer.',
  ),
  decidedAt: instant('When it was approved or rejected.'),
  publishedAt: instant('When it went live.'),
  failedAt: instant('When the last attempt failed.'),
}) {
  static of(post: PostDetails): TimestampsDto {
    return {
      createdAt: post.createdAt,
      updatedAt: post.updatedAt,
      proposedAt: post.proposedTime,
      scheduledAt: post.scheduledAt,
      heldUntil: post.heldUntil,
      decidedAt: post.approval.decidedAt,
      publishedAt: post.publishedAt,
      failedAt: post.failure?.failedAt ?? null,
    };
  }
}

export class ItemBlockedByDto extends shape({
  contentId: is.uuid({
    description: 'The part of the thread that has to be live first; null when it is gone.',
  }).orNull,
  position: is.integer({ description: 'Its place in the thread, from 1.', example: 1 }),
}) {
  static of({ postId, position }: BlockedBy): ItemBlockedByDto {
    return { contentId: postId, position };
  }
}

/** A post for operators: its state, its problems and the allowed actions. */
export class QueueItemDto extends shape({
  contentId: is.uuid({ description: 'The id of the post.', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  brandId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' }),
  platform: is.text({ enum: PLATFORMS, enumName: 'Platform', example: 'x' }),
  text: is.text({ example: 'We are open on Sunday.' }),
  media: is.list(() => PostFileDto, { description: 'Files, in the order in which they are shown.' }),
  options: is.object(() => PostOptionsDto, {
    description: 'Choices that some networks have; empty when nothing is chosen.',
  }),
  origin: is.text({ description: '`suggestion`: written by an automation.', enum: ['person', 'suggestion'] }),
  approvalState: is.text({ enum: ['not_required', 'pending', 'approved', 'rejected'], example: 'pending' }),
  publishStatus: is.text({ enum: STATUSES, example: 'draft' }),
  isBeingSent: is.flag({
    description: 'It is being sent to the network right now: nothing can be changed for a moment.',
  }),
  holdReason: is.text({
    description:
      'Why it waits until `timestamps.heldUntil`; stable machine name, such as `rate_limited` or `network_unreachable`.',
    example: null,
  }).orNull,
  retrying: is.object(() => RetryingDto, {
    description:
      'Automatic retries after failures without effect. The next is at `timestamps.heldUntil`, or as soon as the network answers again.',
  }).orNull,
  timestamps: is.object(() => TimestampsDto),
  failure: is.object(() => ContentFailureDto).orNull,
  blockedBy: is.object(() => ItemBlockedByDto, { description: 'What it waits for, in a thread.' }).orNull,
  blockers: is.list(() => BlockerDto, {
    description:
      'What prevents its publication: rules of the network that the content violates, and files that are gone or cannot be made to fit the network, as known now.',
  }),
  version: is.integer({ description: 'Goes up with every change; the ETag is made of it.', example: 3 }),
  safeActions: is.list(() => SafeActionDto, { description: 'What may be done to it as it stands.' }),
}) {
  /** @param now the allowed actions depend on whether the proposed time has passed */
  static of(item: PostItem, now: Date): QueueItemDto {
    return {
      contentId: item.id,
      brandId: item.brandId,
      platform: item.platform,
      text: item.text,
      media: item.media,
      options: PostOptionsDto.of(item.options),
      origin: item.origin,
      approvalState: item.approval.state,
      publishStatus: item.status,
      isBeingSent: item.isBeingSent,
      holdReason: item.holdReason,
      retrying: RetryingDto.of(item.retrying),
      timestamps: TimestampsDto.of(item),
      failure: item.failure && ContentFailureDto.of(item.failure),
      blockedBy: item.blockedBy && ItemBlockedByDto.of(item.blockedBy),
      blockers: item.blockers,
      version: item.version,
      safeActions: safeActionsOf(item, now.toISOString()),
    };
  }
}
