import { ApiProperty } from '@nestjs/swagger';
import type { Platform } from '#libs/content';
import { PLATFORMS } from '../../../integrations/index.js';
import { ACTIONS, type PostAction } from '../../domain/guards.js';
import type { IfLate } from '../../domain/late-window.js';
import type { PostItem } from '../../views/post-item.js';
import { STATUSES } from '../../domain/post.js';
import type { PostWarning } from '../../domain/warnings.js';
import {
  ApprovalDto,
  BlockedByDto,
  BlockerDto,
  FailureDto,
  PostFileDto,
  RetryingDto,
  WarningDto,
} from './post-parts.dto.js';
import { IF_LATE_PROPERTY } from './write-post.dto.js';
import { PostOptionsDto } from './options.dto.js';
import { PostTargetDto } from './target.dto.js';

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
const AT = { format: 'date-time', example: '2026-12-01T09:00:00.000Z' };
const orNull = { type: 'string' as const, nullable: true };
const NOT_YET = { ...orNull, format: 'date-time', example: null };

export class PostDto {
  @ApiProperty({ format: 'uuid', example: ID })
  id!: string;

  @ApiProperty({ format: 'uuid', example: ID })
  brandId!: string;

  @ApiProperty({
    description: 'The creator, whose connection is preferred for publication.',
    format: 'uuid',
    example: ID,
  })
  authorId!: string;

  @ApiProperty({ enum: PLATFORMS, enumName: 'Platform', example: 'x' })
  platform!: Platform;

  @ApiProperty({ type: () => PostTargetDto })
  target!: PostTargetDto;

  @ApiProperty({ example: 'Our new roast is here.' })
  text!: string;

  @ApiProperty({ ...orNull, example: null })
  title!: string | null;

  @ApiProperty({ type: [String], format: 'uuid', example: [] })
  mediaIds!: readonly string[];

  @ApiProperty({ description: 'In the order of `mediaIds`.', type: () => [PostFileDto], example: [] })
  media!: readonly PostFileDto[];

  @ApiProperty({ ...orNull, format: 'uri', example: 'https://example.com/roast' })
  link!: string | null;

  @ApiProperty({ description: 'Empty when nothing is chosen.', type: () => PostOptionsDto })
  options!: PostOptionsDto;

  @ApiProperty({ enum: STATUSES, example: 'scheduled' })
  status!: PostItem['status'];

  @ApiProperty({ ...orNull, ...AT, description: 'null for drafts; kept when published or failed.' })
  scheduledAt!: string | null;

  @ApiProperty({
    ...NOT_YET,
    description: 'The time that a suggestion asks for; approval makes it `scheduledAt`.',
  })
  proposedTime!: string | null;

  @ApiProperty(IF_LATE_PROPERTY)
  ifLate!: IfLate | null;

  @ApiProperty({
    ...NOT_YET,
    description:
      'The post is on hold until then at the latest: a rate limit of the network, its files are being made to fit the network, the network does not answer and the post is tried again, or an operator has to repair something (`retrying` says what).',
  })
  heldUntil!: string | null;

  @ApiProperty({
    ...orNull,
    description:
      'Why it is on hold; stable machine name, such as `rate_limited`, `media_processing` or `network_unreachable`.',
    example: null,
  })
  holdReason!: string | null;

  @ApiProperty({
    type: () => RetryingDto,
    nullable: true,
    description: 'Automatic retries after failures without effect; null when there were none.',
  })
  retrying!: RetryingDto | null;

  @ApiProperty({
    description: 'An attempt is open; changes respond with 409 `publishing_in_progress`.',
    example: false,
  })
  isBeingSent!: boolean;

  @ApiProperty({ ...orNull, format: 'uuid', example: null })
  threadId!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  threadPosition!: number | null;

  @ApiProperty({
    type: () => BlockedByDto,
    nullable: true,
    description: 'The part of the thread it waits for.',
    example: null,
  })
  blockedBy!: BlockedByDto | null;

  @ApiProperty({
    description: '`suggestion`: written by an automation, or submitted for approval.',
    enum: ['person', 'suggestion'],
    example: 'person',
  })
  origin!: 'person' | 'suggestion';

  @ApiProperty({ type: () => ApprovalDto })
  approval!: ApprovalDto;

  @ApiProperty(NOT_YET)
  publishedAt!: string | null;

  @ApiProperty({ ...orNull, description: 'Its id on the network.', example: null })
  platformPostId!: string | null;

  @ApiProperty({ ...orNull, format: 'uri', example: null })
  platformPostUrl!: string | null;

  @ApiProperty({
    type: () => FailureDto,
    nullable: true,
    description: 'Why it failed; null unless `status` is `failed`.',
    example: null,
  })
  failure!: FailureDto | null;

  @ApiProperty({
    description:
      'What prevents its publication: rules of the network that the content violates, and files that are gone or cannot be made to fit the network, as known now. Correct it before the post is due.',
    type: () => [BlockerDto],
    example: [],
  })
  blockers!: readonly BlockerDto[];

  @ApiProperty({ description: 'Number of attempts to publish so far.', type: 'integer', example: 0 })
  attempts!: number;

  @ApiProperty({
    description: 'The actions that are allowed now.',
    enum: ACTIONS,
    isArray: true,
    example: ['edit', 'revert', 'reschedule', 'delete'],
  })
  allowedActions!: readonly PostAction[];

  @ApiProperty(AT)
  createdAt!: string;

  @ApiProperty(AT)
  updatedAt!: string;

  @ApiProperty({
    description: 'Increases with every event; part of the ETag.',
    type: 'integer',
    example: 2,
  })
  version!: number;

  static of(post: PostItem): PostDto {
    return {
      id: post.id,
      brandId: post.brandId,
      authorId: post.authorId,
      platform: post.platform,
      target: PostTargetDto.of(post.target),
      text: post.text,
      title: post.title,
      mediaIds: post.mediaIds,
      media: post.media,
      link: post.link,
      options: PostOptionsDto.of(post.options),
      status: post.status,
      scheduledAt: post.scheduledAt,
      proposedTime: post.proposedTime,
      ifLate: post.ifLate ?? null,
      heldUntil: post.heldUntil,
      holdReason: post.holdReason,
      retrying: RetryingDto.of(post.retrying),
      isBeingSent: post.isBeingSent,
      threadId: post.threadId,
      threadPosition: post.threadPosition,
      blockedBy: post.blockedBy,
      origin: post.origin,
      approval: ApprovalDto.of(post.approval),
      publishedAt: post.publishedAt,
      platformPostId: post.platformPostId,
      platformPostUrl: post.platformPostUrl,
      failure: post.failure && FailureDto.of(post.failure),
      blockers: post.blockers,
      attempts: post.attempts,
      allowedActions: post.allowedActions,
      createdAt: post.createdAt,
      updatedAt: post.updatedAt,
      version: post.version,
    };
  }
}

export class WrittenPostDto extends PostDto {
  @ApiProperty({
    description: 'Information for the author; never a refusal.',
    type: () => [WarningDto],
    example: [],
  })
  warnings!: WarningDto[];

  static ofWritten(post: PostItem, warnings: readonly PostWarning[]): WrittenPostDto {
    return { ...PostDto.of(post), warnings: warnings.map((warning) => WarningDto.of(warning)) };
  }
}
