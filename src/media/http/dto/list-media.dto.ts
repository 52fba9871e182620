import { ApiPropertyOptional } from '@nestjs/swagger';
import type { MediaKind } from '#libs/content';
import { AmongFilter, IdFilter, lastText, ListQuery, Parameter } from '#libs/http';
import type { MediaFilters } from '../../queries/media.search.js';
import { MEDIA_STATUSES, type MediaStatus } from '../../views/media-file.view.js';
import { MEDIA_KINDS } from './media.dto.js';

/** Invalid values are ignored or match nothing: parameters never refuse a list. */
export class ListMediaQuery extends ListQuery {
  @ApiPropertyOptional({ description: 'Only files of this brand, like X-Brand-ID.', format: 'uuid' })
  @IdFilter()
  brandId?: string;

  @ApiPropertyOptional({
    description: 'Repeated or separated by commas: any of them.',
    enum: MEDIA_KINDS,
    enumName: 'MediaKind',
    isArray: true,
  })
  @AmongFilter(MEDIA_KINDS)
  kind?: MediaKind[];

  @ApiPropertyOptional({
    description: 'Repeated or separated by commas: any of them.',
    enum: MEDIA_STATUSES,
    enumName: 'MediaStatus',
    isArray: true,
  })
  @AmongFilter(MEDIA_STATUSES)
  status?: MediaStatus[];

  @ApiPropertyOptional({
    description: 'Only files with this tag; accents and case are folded.',
    example: 'summer',
  })
  @Parameter(lastText)
  tag?: string;

  @ApiPropertyOptional({
    description:
      'Only files with all of these words in file name, alt text or tags: any order, accents and case folded, the last one can be a prefix.',
    example: 'harbour daw',
  })
  @Parameter(lastText)
  q?: string;

  get filters(): MediaFilters {
    return { kinds: this.kind, statuses: this.status, tag: this.tag, text: this.q };
  }
}
