import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Target } from '#libs/content';
import {
  APPROVAL_BASIS,
  type ApprovalDetails,
  APPROVED_VERSION,
  approvedVersionOf,
  type By,
  type PostItem,
  type PostWarning,
} from '../../../posts/index.js';
import { QueueItemDto } from './queue-item.dto.js';

export class ItemActorDto {
  @ApiProperty({ enum: ['user', 'service', 'api_key', 'system'], example: 'user' })
  type!: string;

  @ApiProperty({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' })
  id!: string;

  static of({ type, id }: By): ItemActorDto {
    return { type, id };
  }
}

export class ItemApprovalDto {
  @ApiProperty({ enum: ['not_required', 'pending', 'approved', 'rejected'], example: 'approved' })
  state!: string;

  @ApiProperty({ type: () => ItemActorDto, nullable: true })
  decidedBy!: ItemActorDto | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  decidedAt!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'On brand' })
  reason!: string | null;

  @ApiProperty({ description: 'Of exactly the content that was approved.', type: 'string', nullable: true })
  fingerprint!: string | null;

  @ApiProperty(APPROVED_VERSION)
  version!: number | null;

  @ApiProperty(APPROVAL_BASIS)
  basis!: string | null;

  static of({ state, decidedBy, decidedAt, reason, fingerprint, bound }: ApprovalDetails): ItemApprovalDto {
    return {
      state,
      decidedBy: decidedBy && ItemActorDto.of(decidedBy),
      decidedAt,
      reason,
      fingerprint,
      ...approvedVersionOf(bound),
    };
  }
}

export class ItemTargetDto {
  @ApiPropertyOptional()
  connectionId?: string;

  @ApiPropertyOptional()
  pageId?: string;

  @ApiPropertyOptional()
  groupId?: string;

  @ApiPropertyOptional()
  organizationId?: string;

  @ApiPropertyOptional()
  accountId?: string;

  static of({ connectionId, pageId, groupId, organizationId, accountId }: Target): ItemTargetDto {
    return { connectionId, pageId, groupId, organizationId, accountId };
  }
}

/** All details of a content item. */
export class ContentItemDto extends QueueItemDto {
  @ApiProperty({ format: 'uuid' })
  authorId!: string;

  @ApiProperty({ type: 'string', nullable: true })
  title!: string | null;

  @ApiProperty({ type: 'string', format: 'uri', nullable: true })
  link!: string | null;

  @ApiProperty({ type: [String] })
  mediaIds!: readonly string[];

  @ApiProperty({
    description: 'Where on the network, when the account alone does not say.',
    type: () => ItemTargetDto,
  })
  target!: ItemTargetDto;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  threadId!: string | null;

  @ApiProperty({ description: 'From 1.', type: 'integer', nullable: true })
  threadPosition!: number | null;

  @ApiProperty({ type: () => ItemApprovalDto })
  approval!: ItemApprovalDto;

  @ApiProperty({ description: 'Attempts to publish, so far.', type: 'integer', example: 0 })
  attempts!: number;

  @ApiProperty({ description: 'Its id on the network.', type: 'string', nullable: true })
  platformPostId!: string | null;

  @ApiProperty({ description: 'Its address on the network.', type: 'string', nullable: true })
  platformPostUrl!: string | null;

  static override of(item: PostItem, now: Date): ContentItemDto {
    return {
      ...QueueItemDto.of(item, now),
      authorId: item.authorId,
      title: item.title,
      link: item.link,
      mediaIds: item.mediaIds,
      target: ItemTargetDto.of(item.target),
      threadId: item.threadId,
      threadPosition: item.threadPosition,
      approval: ItemApprovalDto.of(item.approval),
      attempts: item.attempts,
      platformPostId: item.platformPostId,
      platformPostUrl: item.platformPostUrl,
    };
  }
}

export class ItemWarningDto {
  @ApiProperty({
    description:
      '`duplicate_text`, `time_conflict`, `thread_gap`, `account_not_connected`, `reconnect_needed`, `approved_as_stored`, a rule of the network, or `not_looked_up`: it is saved, but whether there is any could not be told.',
    example: 'time_conflict',
  })
  code!: string;

  @ApiProperty({ example: 'Another post of this account goes out within 5 minutes of this one.' })
  message!: string;

  @ApiProperty({ description: 'JSON Pointer into the item.', example: '#/scheduledAt' })
  pointer!: string;

  @ApiProperty({
    description: 'The other item it is about; null also where the caller may not see it.',
    type: 'string',
    format: 'uuid',
    nullable: true,
  })
  contentId!: string | null;

  static of({ code, message, pointer, postId }: PostWarning): ItemWarningDto {
    return { code, message, pointer, contentId: postId };
  }
}

/** The item after the operation. */
export class ChangedItemDto extends ContentItemDto {
  @ApiProperty({
    description: 'What should be known before it goes out; nothing is refused over it.',
    type: () => [ItemWarningDto],
  })
  warnings!: ItemWarningDto[];
}

/** Adds a warning if the request did not name the approved version. */
export function withApprovalBasis(item: ChangedItemDto): ChangedItemDto {
  const { version, basis } = item.approval;
  if (basis !== 'stored') return item;
  const message = `The request had no If-Match: version ${version} was approved as it was stored. Read the item again and check its text.`;
  const warning = { code: 'approved_as_stored', message, pointer: '#/approval', contentId: null };
  return { ...item, warnings: [...item.warnings, warning] };
}
