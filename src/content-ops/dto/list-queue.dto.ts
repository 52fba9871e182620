import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { ListQuery, parseInstant } from '#libs/http';
import type { Platform, QueueState } from '../../posts/index.js';
import { PLATFORMS, QUEUE_STATES } from '../../posts/index.js';
import { QueueItemDto } from './queue-item.dto.js';

/** Those of the list that were named, in its order; undefined when none was. Repeated or separated by commas. */
function among<Name extends string>(names: readonly Name[], value: unknown): Name[] | undefined {
  const given = [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []));
  const named = names.filter((name) => given.some((one) => one.trim() === name));
  return named.length > 0 ? named : undefined;
}

/** In one spelling, because the cursor is bound to it. */
function instantOf(value: unknown): string | undefined {
  const instant = parseInstant(value);
  return instant === undefined ? undefined : new Date(instant).toISOString();
}

export class ListQueueDto extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({
    description: 'Only these: repeat the parameter or separate by commas.',
    enum: QUEUE_STATES,
    isArray: true,
    example: ['failed', 'pending'],
  })
  @Transform(({ value }) => among(QUEUE_STATES, value), { toClassOnly: true })
  @Allow()
  state?: QueueState[];

  @ApiPropertyOptional({
    description: 'Only for these networks.',
    enum: PLATFORMS,
    isArray: true,
    example: ['x'],
  })
  @Transform(({ value }) => among(PLATFORMS, value), { toClassOnly: true })
  @Allow()
  platform?: Platform[];

  @ApiPropertyOptional({
    description:
      'Calendar view: planned for this instant or later. RFC 3339 with offset. Needs `calendar.read`.',
    format: 'date-time',
  })
  @Transform(({ value }) => instantOf(value), { toClassOnly: true })
  @Allow()
  from?: string;

  @ApiPropertyOptional({
    description: 'Calendar view: planned before this instant. RFC 3339 with offset. Needs `calendar.read`.',
    format: 'date-time',
  })
  @Transform(({ value }) => instantOf(value), { toClassOnly: true })
  @Allow()
  to?: string;
}

export class QueueEntryDto extends QueueItemDto {
  @ApiProperty({ description: 'Why it is in the queue.', enum: QUEUE_STATES, example: 'pending' })
  queueState!: QueueState;
}
