import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { FAILURE_CLASSES, type FailureClass, type MediaKind } from '#libs/content';
import type { ApprovedVersion, Blocker, By } from '../../domain/post.events.js';
import type { Failure } from '../../domain/post.js';
import type { Retrying } from '../../domain/retrying.js';
import type { PostWarning } from '../../domain/warnings.js';
import type { ApprovalDetails } from '../../views/post-details.js';
import type { BlockedBy, PostFile } from '../../views/post-item.js';

export const APPROVED_VERSION: ApiPropertyOptions = {
  description: 'The version that the approval covers; null where an edit by a person renewed it.',
  type: 'integer',
  nullable: true,
  example: null,
};

export const APPROVAL_BASIS: ApiPropertyOptions = {
  description:
    '`if_match`: the caller named that version. `stored`: the request had no If-Match, so the approval covers what was stored when it was decided.',
  type: 'string',
  nullable: true,
  enum: ['if_match', 'stored', null],
  example: null,
};

/** The two fields as responses carry them: null where a person's edit renewed the approval. */
export const approvedVersionOf = (bound: ApprovedVersion | undefined) => ({
  version: bound?.version ?? null,
  basis: bound?.basis ?? null,
});

/** Automatic retries of a post after failures that had no effect on the network. */
export class RetryingDto {
  @ApiProperty({
    description:
      'Of the first failure. After a budget from then on, 30 minutes by default, the post fails. What an operator has to repair has no budget: the post waits, and is sent after the repair.',
    format: 'date-time',
    example: '2026-11-21T09:30:02.114Z',
  })
  since!: string;

  @ApiProperty({ description: 'Attempts that failed so.', type: 'integer', example: 2 })
  failures!: number;

  @ApiProperty({
    description: 'The last failure; stable machine name.',
    example: 'network_unreachable',
  })
  code!: string;

  @ApiProperty({ description: 'What the network or the system calls it.', type: 'string', nullable: true })
  networkCode!: string | null;

  @ApiProperty({ example: 'X could not be reached; nothing was sent.' })
  message!: string;

  @ApiProperty({
    description: 'What has to be done, and by whom.',
    example: 'An operator has to set LINKEDIN_VERSION to a current version; the post is then sent.',
  })
  nextStep!: string;

  static of(retrying: Retrying | null): RetryingDto | null {
    if (!retrying) return null;
    const { since, failures, failure } = retrying;
    const { code, networkCode, message, nextStep } = failure;
    return { since, failures, code, networkCode, message, nextStep };
  }
}

const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
const orNull = { type: 'string' as const, nullable: true };

export class ActorDto {
  @ApiProperty({ enum: ['user', 'service', 'api_key', 'system'], example: 'user' })
  type!: 'user' | 'service' | 'api_key' | 'system';

  @ApiProperty({ example: ID })
  id!: string;

  static of({ type, id }: By): ActorDto {
    return { type, id };
  }
}

export class ApprovalDto {
  @ApiProperty({
    description: '`not_required` for posts that people wrote.',
    enum: ['not_required', 'pending', 'approved', 'rejected'],
    example: 'not_required',
  })
  state!: ApprovalDetails['state'];

  @ApiProperty({ type: () => ActorDto, nullable: true })
  decidedBy!: ActorDto | null;

  @ApiProperty({ ...orNull, format: 'date-time', example: null })
  decidedAt!: string | null;

  @ApiProperty({ ...orNull, example: null })
  reason!: string | null;

  @ApiProperty({ ...orNull, description: 'SHA-256 of the approved content.', example: null })
  fingerprint!: string | null;

  @ApiProperty(APPROVED_VERSION)
  version!: number | null;

  @ApiProperty(APPROVAL_BASIS)
  basis!: string | null;

  static of({ state, decidedBy, decidedAt, reason, fingerprint, bound }: ApprovalDetails): ApprovalDto {
    return {
      state,
      decidedBy: decidedBy && ActorDto.of(decidedBy),
      decidedAt,
      reason,
      fingerprint,
      ...approvedVersionOf(bound),
    };
  }
}

export class FailureDto {
  @ApiProperty({ description: 'Stable code, the same for all networks.', example: 'duplicate_content' })
  code!: string;

  @ApiProperty({
    description: '`unconfirmed`: the post may be live; resolve the delivery first.',
    enum: FAILURE_CLASSES,
    example: 'permanent',
  })
  class!: FailureClass;

  @ApiProperty({ ...orNull, description: 'The error code of the network.', example: '187' })
  networkCode!: string | null;

  @ApiProperty({ example: 'The network says the same text is there already.' })
  message!: string;

  @ApiProperty({ example: 'Change the text, then retry.' })
  nextStep!: string;

  @ApiProperty({ format: 'date-time', example: '2026-12-01T09:00:01.000Z' })
  failedAt!: string;

  @ApiProperty({
    ...orNull,
    description: 'null if it failed before an attempt started.',
    format: 'uuid',
    example: ID,
  })
  attemptId!: string | null;

  static of({ code, class: kind, networkCode, message, nextStep, failedAt, attemptId }: Failure): FailureDto {
    return { code, class: kind, networkCode, message, nextStep, failedAt, attemptId };
  }
}

export class BlockedByDto implements BlockedBy {
  @ApiProperty({
    ...orNull,
    description: 'null if that part was deleted or is not created yet.',
    format: 'uuid',
    example: ID,
  })
  postId!: string | null;

  @ApiProperty({
    description: 'Position in the thread that must be published first.',
    type: 'integer',
    example: 1,
  })
  position!: number;
}

export class BlockerDto implements Blocker {
  @ApiProperty({ description: 'Stable name of the rule.', example: 'x.media.unfit' })
  ruleId!: string;

  @ApiProperty({
    description: 'What is wrong, then what to do.',
    example: 'The video has a codec that networks do not take. Export it with H.264.',
  })
  message!: string;

  @ApiProperty({ description: 'JSON pointer into the post.', example: '#/mediaIds/0' })
  pointer!: string;
}

export class WarningDto implements PostWarning {
  @ApiProperty({
    description:
      '`duplicate_text`, `time_conflict`, `thread_gap`, `account_not_connected` or `reconnect_needed` (for the account of the target), the id of a network rule, or `not_looked_up`: the post is saved, but its warnings could not be looked up.',
    example: 'duplicate_text',
  })
  code!: string;

  @ApiProperty({ example: 'Another post of this account within 24 hours says the same.' })
  message!: string;

  @ApiProperty({ description: 'JSON pointer into the post.', example: '#/text' })
  pointer!: string;

  @ApiProperty({
    ...orNull,
    description: 'The other post; null also if the caller may not see it.',
    format: 'uuid',
    example: ID,
  })
  postId!: string | null;

  static of({ code, message, pointer, postId }: PostWarning): WarningDto {
    return { code, message, pointer, postId };
  }
}

const FACT = { type: 'integer' as const, nullable: true };

export class PostFileDto implements PostFile {
  @ApiProperty({ format: 'uuid', example: ID })
  id!: string;

  @ApiProperty({
    description: 'null: the file no longer exists in the media library.',
    enum: ['image', 'animation', 'video'],
    nullable: true,
    example: 'image',
  })
  kind!: MediaKind | null;

  @ApiProperty({ ...orNull, example: 'image/jpeg' })
  contentType!: string | null;

  @ApiProperty({ ...FACT, description: 'Length of the original.', example: 1_250_000 })
  bytes!: number | null;

  @ApiProperty({ ...FACT, description: 'Pixels, as shown.', example: 1600 })
  width!: number | null;

  @ApiProperty({ ...FACT, description: 'Pixels, as shown.', example: 900 })
  height!: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: 'width / height.', example: 1.7778 })
  ratio!: number | null;

  @ApiProperty({ ...FACT, description: 'Of animations and videos, in milliseconds.', example: null })
  durationMs!: number | null;

  @ApiProperty({ ...orNull, description: 'For people who do not see the file.', example: 'A cup of coffee' })
  altText!: string | null;

  @ApiProperty({
    ...orNull,
    format: 'uri',
    description:
      'Address of a small picture, valid for at least 2 hours; null without one, and in the response to a change of the post.',
    example: null,
  })
  thumbnailUrl!: string | null;
}
