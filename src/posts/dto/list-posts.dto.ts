import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { ListQuery, parseInstant } from '#libs/http';
import type { Platform } from '../post.events.js';
import { PLATFORMS } from '../post.events.js';
import type { PostFilters } from '../posts.filters.js';

const STATUSES = ['draft', 'scheduled', 'published', 'failed'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** What cannot be an id names nothing: the list is empty, as for one that does not exist. */
const NOTHING = '00000000-0000-0000-0000-000000000000';

const all = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string' ? one.split(',').map((part) => part.trim()) : [],
  );

/** Known values among those given; nothing known given is no filter. */
const among =
  <T extends string>(known: readonly T[]) =>
  ({ value }: { value: unknown }): T[] | undefined => {
    const chosen = known.filter((one) => all(value).includes(one));
    return chosen.length > 0 ? chosen : undefined;
  };

const anId = ({ value }: { value: unknown }): string | undefined => {
  if (value === undefined || value === '') return undefined;
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : NOTHING;
};

const anInstant = ({ value }: { value: unknown }): string | undefined => {
  const milliseconds = parseInstant(value);
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
};

/** Bad values are ignored or match nothing; a list is never refused for its parameters. */
export class ListPostsQuery extends ListQuery {
  @ApiPropertyOptional({ description: 'Only this brand; X-Brand-ID says the same.', format: 'uuid' })
  @Transform(anId, { toClassOnly: true })
  @Allow()
  brandId?: string;

  @ApiPropertyOptional({ description: 'The posts of one thread, in their order.', format: 'uuid' })
  @Transform(anId, { toClassOnly: true })
  @Allow()
  threadId?: string;

  @ApiPropertyOptional({
    description: 'Repeated or separated by commas: any of them.',
    enum: STATUSES,
    isArray: true,
  })
  @Transform(among(STATUSES), { toClassOnly: true })
  @Allow()
  status?: (typeof STATUSES)[number][];

  @ApiPropertyOptional({
    description: 'Repeated or separated by commas: any of them.',
    enum: PLATFORMS,
    isArray: true,
  })
  @Transform(among(PLATFORMS), { toClassOnly: true })
  @Allow()
  platform?: Platform[];

  @ApiPropertyOptional({
    description: 'On the calendar from this instant on: published, scheduled or proposed.',
    format: 'date-time',
  })
  @Transform(anInstant, { toClassOnly: true })
  @Allow()
  from?: string;

  @ApiPropertyOptional({ description: 'On the calendar before this instant.', format: 'date-time' })
  @Transform(anInstant, { toClassOnly: true })
  @Allow()
  to?: string;

  filters(brandId: string | undefined): PostFilters {
    const { threadId, status: statuses, platform: platforms, from, to } = this;
    return { brandId: this.brandId ?? brandId, threadId, statuses, platforms, from, to };
  }
}
