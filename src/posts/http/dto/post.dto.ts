import type { Platform } from '#libs/content';
import { is, shape } from '#libs/http';
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
const notYet = (description?: string) => is.instant({ description, example: null }).orNull;

export class PostDto extends shape({
  id: is.uuid({ example: ID }),
  brandId: is.uuid({ example: ID }),
  authorId: is.uuid({
    description: 'The creator, whose connection is preferred for publication.',
    example: ID,
  }),
  platform: is.text<Platform>({ enum: PLATFORMS, enumName: 'Platform', example: 'x' }),
  target: is.object(() => PostTargetDto),
  text: is.text({ example: 'Our new roast is here.' }),
  title: is.text({ example: null }).orNull,
  mediaIds: is.texts({ format: 'uuid', example: [] }),
  media: is.list(() => PostFileDto, { description: 'In the order of `mediaIds`.', example: [] }),
  link: is.text({ format: 'uri', example: 'https://example.com/roast' }).orNull,
  options: is.object(() => PostOptionsDto, { description: 'Empty when nothing is chosen.' }),
  status: is.text<PostItem['status']>({ enum: STATUSES, example: 'scheduled' }),
  scheduledAt: is.text({ ...AT, description: 'null for drafts; kept when published or failed.' }).orNull,
  proposedTime: notYet('The time that a suggestion asks for; approval makes it `scheduledAt`.'),
  ifLate: is.of<IfLate | null>(IF_LATE_PROPERTY),
  heldUntil: notYet(
    'The post is on hold until then at the latest: a rate limit of the network, its files are being made to fit the network, the network does not answer and the post is tried again, or an operator has to repair something (`retrying` says what).',
  ),
  holdReason: is.text({
    description:
      'Why it is on hold; stable machine name, such as `rate_limited`, `media_processing` or `network_unreachable`.',
    example: null,
  }).orNull,
  retrying: is.object(() => RetryingDto, {
    description: 'Automatic retries after failures without effect; null when there were none.',
  }).orNull,
  isBeingSent: is.flag({
    description: 'An attempt is open; changes respond with 409 `publishing_in_progress`.',
    example: false,
  }),
  threadId: is.uuid({ example: null }).orNull,
  threadPosition: is.integer({ example: null }).orNull,
  blockedBy: is.object(() => BlockedByDto, {
    description: 'The part of the thread it waits for.',
    example: null,
  }).orNull,
  origin: is.text<'person' | 'suggestion'>({
    description: '`suggestion`: written by an automation, or submitted for approval.',
    enum: ['person', 'suggestion'],
    example: 'person',
  }),
  approval: is.object(() => ApprovalDto),
  publishedAt: notYet(),
  platformPostId: is.text({ description: 'Its id on the network.', example: null }).orNull,
  platformPostUrl: is.text({ format: 'uri', example: null }).orNull,
  failure: is.object(() => FailureDto, {
    description: 'Why it failed; null unless `status` is `failed`.',
    example: null,
  }).orNull,
  blockers: is.list(() => BlockerDto, {
    description:
      'What prevents its publication: rules of the network that the content violates, and files that are gone or cannot be made to fit the network, as known now. Correct it before the post is due.',
    example: [],
  }),
  attempts: is.integer({ description: 'Number of attempts to publish so far.', example: 0 }),
  allowedActions: is.of<readonly PostAction[]>({
    description: 'The actions that are allowed now.',
    enum: ACTIONS,
    isArray: true,
    example: ['edit', 'revert', 'reschedule', 'delete'],
  }),
  createdAt: is.text(AT),
  updatedAt: is.text(AT),
  version: is.integer({ description: 'Increases with every event; part of the ETag.', example: 2 }),
}) {
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

export class WrittenPostDto extends shape(
  {
    warnings: is.list(() => WarningDto, {
      description: 'Information for the author; never a refusal.',
      example: [],
    }),
  },
  PostDto,
) {
  static ofWritten(post: PostItem, warnings: readonly PostWarning[]): WrittenPostDto {
    return { ...PostDto.of(post), warnings: warnings.map((warning) => WarningDto.of(warning)) };
  }
}
