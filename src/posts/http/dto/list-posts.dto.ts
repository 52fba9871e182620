import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Platform } from '#libs/content';
import { AmongFilter, IdFilter, InstantFilter, ListQuery } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { type Status, STATUSES } from '../../domain/post.js';
import type { PostFilters } from '../../queries/posts.filters.js';

/** Invalid values are ignored or match nothing: parameters never refuse a list. */
export class ListPostsQuery extends ListQuery {
  @ApiPropertyOptional({ description: 'Only posts of this brand, like X-Brand-ID.', format: 'uuid' })
  @IdFilter()
  brandId?: string;

  @ApiPropertyOptional({ description: 'The posts of one thread, by position.', format: 'uuid' })
  @IdFilter()
  threadId?: string;

  @ApiPropertyOptional({
    description: 'Repeated or separated by commas: any of them.',
    enum: STATUSES,
    isArray: true,
  })
  @AmongFilter(STATUSES)
  status?: Status[];

  @ApiPropertyOptional({
    description: 'Repeated or separated by commas: any of them.',
    enum: PLATFORMS,
    enumName: 'Platform',
    isArray: true,
  })
  @AmongFilter(PLATFORMS)
  platform?: Platform[];

  @ApiPropertyOptional({
    description: 'From this instant, by published, scheduled or proposed time.',
    format: 'date-time',
  })
  @InstantFilter()
  from?: string;

  @ApiPropertyOptional({
    description: 'Before this instant, by published, scheduled or proposed time.',
    format: 'date-time',
  })
  @InstantFilter()
  to?: string;

  filters(brandId: string | undefined): PostFilters {
    const { threadId, status: statuses, platform: platforms, from, to } = this;
    return { brandId: this.brandId ?? brandId, threadId, statuses, platforms, from, to };
  }
}
