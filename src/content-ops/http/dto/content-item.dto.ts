import { is, shape } from '#libs/http';
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

export class ItemActorDto extends shape({
  type: is.text({ enum: ['user', 'service', 'api_key', 'system'], example: 'user' }),
  id: is.text({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' }),
}) {
  static of({ type, id }: By): ItemActorDto {
    return { type, id };
  }
}

export class ItemApprovalDto extends shape({
  state: is.text({ enum: ['not_required', 'pending', 'approved', 'rejected'], example: 'approved' }),
  decidedBy: is.object(() => ItemActorDto).orNull,
  decidedAt: is.instant().orNull,
  reason: is.text({ example: 'On brand' }).orNull,
  fingerprint: is.text({ description: 'Of exactly the content that was approved.' }).orNull,
  version: is.of<number | null>(APPROVED_VERSION),
  basis: is.of<string | null>(APPROVAL_BASIS),
}) {
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

export class ItemTargetDto extends shape({
  connectionId: is.text().optional,
  pageId: is.text().optional,
  groupId: is.text().optional,
  organizationId: is.text().optional,
  accountId: is.text().optional,
}) {}

export class ContentItemDto extends shape(
  {
    authorId: is.uuid(),
    title: is.text().orNull,
    link: is.text({ format: 'uri' }).orNull,
    mediaIds: is.texts(),
    target: is.object(() => ItemTargetDto, {
      description: 'Where on the network, when the account alone does not say.',
    }),
    threadId: is.uuid().orNull,
    threadPosition: is.integer({ description: 'From 1.' }).orNull,
    approval: is.object(() => ItemApprovalDto),
    attempts: is.integer({ description: 'Attempts to publish, so far.', example: 0 }),
    platformPostId: is.text({ description: 'Its id on the network.' }).orNull,
    platformPostUrl: is.text({ description: 'Its address on the network.' }).orNull,
  },
  QueueItemDto,
) {
  static override of(item: PostItem, now: Date): ContentItemDto {
    return {
      ...QueueItemDto.of(item, now),
      authorId: item.authorId,
      title: item.title,
      link: item.link,
      mediaIds: item.mediaIds,
      target: item.target,
      threadId: item.threadId,
      threadPosition: item.threadPosition,
      approval: ItemApprovalDto.of(item.approval),
      attempts: item.attempts,
      platformPostId: item.platformPostId,
      platformPostUrl: item.platformPostUrl,
    };
  }
}

export class ItemWarningDto extends shape({
  code: is.text({
    description:
      '`duplicate_text`, `time_conflict`, `thread_gap`, `account_not_connected`, `reconnect_needed`, `approved_as_stored`, a rule of the network, or `not_looked_up`: it is saved, but whether there is any could not be told.',
    example: 'time_conflict',
  }),
  message: is.text({ example: 'Another post of this account goes out within 5 minutes of this one.' }),
  pointer: is.text({ description: 'JSON Pointer into the item.', example: '#/scheduledAt' }),
  contentId: is.uuid({
    description: 'The other item it is about; null also where the caller may not see it.',
  }).orNull,
}) {
  static of({ code, message, pointer, postId }: PostWarning): ItemWarningDto {
    return { code, message, pointer, contentId: postId };
  }
}

export class ChangedItemDto extends shape(
  {
    warnings: is.list(() => ItemWarningDto, {
      description: 'What should be known before it goes out; nothing is refused over it.',
    }),
  },
  ContentItemDto,
) {}

export function withApprovalBasis(item: ChangedItemDto): ChangedItemDto {
  const { version, basis } = item.approval;
  if (basis !== 'stored') return item;
  const message = `The request had no If-Match: version ${version} was approved as it was stored. Read the item again and check its text.`;
  const warning = { code: 'approved_as_stored', message, pointer: '#/approval', contentId: null };
  return { ...item, warnings: [...item.warnings, warning] };
}
