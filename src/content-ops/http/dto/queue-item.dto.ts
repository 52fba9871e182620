import { ApiProperty } from '@nestjs/swagger';
import { PLATFORMS } from '../../../integrations/index.js';
import {
  type BlockedBy,
  BlockerDto,
  PostFileDto,
  type PostItem,
  PostOptionsDto,
  RetryingDto,
  STATUSES,
} from '../../../posts/index.js';
import { safeActionsOf } from '../../domain/safe-actions.js';
import { ContentFailureDto } from './content-failure.dto.js';
import { SafeActionDto } from './safe-action.dto.js';
import { TimestampsDto } from './timestamps.dto.js';

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
