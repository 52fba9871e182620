import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { Platform } from '#libs/content';
import { AmongFilter, InstantFilter, is, ListQuery, shape } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { QUEUE_STATES, type QueueState } from '../../../posts/index.js';
import { QueueItemDto } from './queue-item.dto.js';

export class ListQueueDto extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({
    description: 'Only these: repeat the parameter or separate by commas.',
    enum: QUEUE_STATES,
    isArray: true,
    example: ['failed', 'pending'],
  })
  @AmongFilter(QUEUE_STATES)
  state?: QueueState[];

  @ApiPropertyOptional({
    description: 'Only for these networks.',
    enum: PLATFORMS,
    enumName: 'Platform',
    isArray: true,
    example: ['x'],
  })
  @AmongFilter(PLATFORMS)
  platform?: Platform[];

  @ApiPropertyOptional({
    description:
      'Calendar view: planned for this instant or later. RFC 3339 with offset. Needs `calendar.read`.',
    format: 'date-time',
  })
  @InstantFilter()
  from?: string;

  @ApiPropertyOptional({
    description: 'Calendar view: planned before this instant. RFC 3339 with offset. Needs `calendar.read`.',
    format: 'date-time',
  })
  @InstantFilter()
  to?: string;
}

export class QueueEntryDto extends shape(
  {
    queueState: is.text<QueueState>({
      description: 'Why it is in the queue.',
      enum: QUEUE_STATES,
      example: 'pending',
    }),
  },
  QueueItemDto,
) {}
