import { ApiProperty } from '@nestjs/swagger';
import { FAILURE_CLASSES } from '#libs/content';
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

/** Why the post was not published and what to do. */
class ContentFailureDto {
  @ApiProperty({ description: 'Stable machine name.', example: 'rate_limited' })
  code!: string;

  @ApiProperty({
    description:
      '`unconfirmed`: it may be live; look, then resolve. `missed`: it was found too late to go out.',
    enum: FAILURE_CLASSES,
    example: 'transient',
  })
  class!: string;

  @ApiProperty({ description: 'What the network calls it.', type: 'string', nullable: true, example: '429' })
  networkCode!: string | null;

  @ApiProperty({ example: 'The network asked us to slow down.' })
  message!: string;

  @ApiProperty({ example: 'Retry it in a few minutes.' })
  nextStep!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:30:02.114Z' })
  failedAt!: string;

  @ApiProperty({ description: 'The attempt that failed, if it began.', type: 'string', nullable: true })
  attemptId!: string | null;

  static of(failure: Failure): ContentFailureDto {
    const { code, class: kind, networkCode, message, nextStep, failedAt, attemptId } = failure;
    return { code, class: kind, networkCode, message, nextStep, failedAt, attemptId };
  }
}

class RequirementsDto {
  @ApiProperty({
    description: 'Scopes the caller needs, all of them.',
    type: [String],
    example: ['posts.write'],
  })
  scopes!: readonly string[];

  @ApiProperty({
    description: 'Members the body must have. None: it works without a body.',
    type: [String],
    example: [],
  })
  body!: readonly string[];
}

/** An allowed action on the current version of the item, as a complete request. */
class SafeActionDto implements SafeAction {
  @ApiProperty({ enum: ['edit', 'approve', 'reject', 'reschedule', 'retry', 'resolve'], example: 'approve' })
  action!: string;

  @ApiProperty({ enum: ['PATCH', 'POST'], example: 'POST' })
  method!: 'PATCH' | 'POST';

  @ApiProperty({ example: '/api/content-ops/items/01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11/approve' })
  path!: string;

  @ApiProperty({ description: 'The version it applies to.', type: 'integer', example: 3 })
  version!: number;

  @ApiProperty({
    description: 'Send as If-Match: the action is refused (412) once the item has changed.',
    example: '"v3"',
  })
  ifMatch!: string;

  @ApiProperty({ type: () => RequirementsDto })
  requires!: RequirementsDto;
}

const instant = (description: string) =>
  ({ description, type: 'string', format: 'date-time', nullable: true, example: null }) as const;

/** Past and planned times; UTC, milliseconds; null if not applicable. */
class TimestampsDto {
  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' })
  updatedAt!: string;

  @ApiProperty(instant('The time that the author proposed; an approval decides whether it applies.'))
  proposedAt!: string | null;

  @ApiProperty(instant('When it goes out, or was to.'))
  scheduledAt!: string | null;

  @ApiProperty(
    instant(
      'It is due, but waits until then at the latest: for limits of the network, its files, or a network that does not answer.',
    ),
  )
  heldUntil!: string | null;

  @ApiProperty(instant('When it was approved or rejected.'))
  decidedAt!: string | null;

  @ApiProperty(instant('When it went live.'))
  publishedAt!: string | null;

  @ApiProperty(instant('When the last attempt failed.'))
  failedAt!: string | null;

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

export class ItemBlockedByDto {
  @ApiProperty({
    description: 'The part of the thread that has to be live first; null when it is gone.',
    type: 'string',
    format: 'uuid',
    nullable: true,
  })
  contentId!: string | null;

  @ApiProperty({ description: 'Its place in the thread, from 1.', type: 'integer', example: 1 })
  position!: number;

  static of({ postId, position }: BlockedBy): ItemBlockedByDto {
    return { contentId: postId, position };
  }
}

/** A post for operators: its state, its problems and the allowed actions. */
export class QueueItemDto {
  @ApiProperty({
    description: 'The id of the post.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  })
  contentId!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' })
  brandId!: string;

  @ApiProperty({ enum: PLATFORMS, enumName: 'Platform', example: 'x' })
  platform!: string;

  @ApiProperty({ example: 'We are open on Sunday.' })
  text!: string;

  @ApiProperty({ description: 'Files, in the order in which they are shown.', type: () => [PostFileDto] })
  media!: readonly PostFileDto[];

  @ApiProperty({
    description: 'Choices that some networks have; empty when nothing is chosen.',
    type: () => PostOptionsDto,
  })
  options!: PostOptionsDto;

  @ApiProperty({ description: '`suggestion`: written by an automation.', enum: ['person', 'suggestion'] })
  origin!: string;

  @ApiProperty({ enum: ['not_required', 'pending', 'approved', 'rejected'], example: 'pending' })
  approvalState!: string;

  @ApiProperty({ enum: STATUSES, example: 'draft' })
  publishStatus!: string;

  @ApiProperty({
    description: 'It is being sent to the network right now: nothing can be changed for a moment.',
  })
  isBeingSent!: boolean;

  @ApiProperty({
    description:
      'Why it waits until `timestamps.heldUntil`; stable machine name, such as `rate_limited` or `network_unreachable`.',
    type: 'string',
    nullable: true,
    example: null,
  })
  holdReason!: string | null;

  @ApiProperty({
    description:
      'Automatic retries after failures without effect. The next is at `timestamps.heldUntil`, or as soon as the network answers again.',
    type: () => RetryingDto,
    nullable: true,
  })
  retrying!: RetryingDto | null;

  @ApiProperty({ type: () => TimestampsDto })
  timestamps!: TimestampsDto;

  @ApiProperty({ type: () => ContentFailureDto, nullable: true })
  failure!: ContentFailureDto | null;

  @ApiProperty({
    description: 'What it waits for, in a thread.',
    type: () => ItemBlockedByDto,
    nullable: true,
  })
  blockedBy!: ItemBlockedByDto | null;

  @ApiProperty({
    description:
      'What prevents its publication: rules of the network that the content violates, and files that are gone or cannot be made to fit the network, as known now.',
    type: () => [BlockerDto],
  })
  blockers!: readonly BlockerDto[];

  @ApiProperty({
    description: 'Goes up with every change; the ETag is made of it.',
    type: 'integer',
    example: 3,
  })
  version!: number;

  @ApiProperty({ description: 'What may be done to it as it stands.', type: () => [SafeActionDto] })
  safeActions!: SafeActionDto[];

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
