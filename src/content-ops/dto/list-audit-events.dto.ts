import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IdFilter, InstantFilter, ListQuery, Parameter, wordsIn } from '#libs/http';

const KIND = /^[a-z0-9_]{1,64}\.[a-z0-9_]{1,64}$/;

export class ListAuditEventsDto extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({ description: 'Events about one content item.', format: 'uuid' })
  @IdFilter()
  contentId?: string;

  @ApiPropertyOptional({
    description: 'Only these kinds; repeat the parameter or separate by commas.',
    type: [String],
    example: ['post.approved', 'post.rejected'],
  })
  @Parameter(kindsIn)
  kind?: string[];

  @ApiPropertyOptional({ description: 'Only what this person, service principal or API key did: its id.' })
  @Parameter((value) => (typeof value === 'string' && value ? value.slice(0, 200) : undefined))
  actor?: string;

  @ApiPropertyOptional({ description: 'Not before this instant: RFC 3339 with offset.', format: 'date-time' })
  @InstantFilter()
  from?: string;

  @ApiPropertyOptional({ description: 'Before this instant: RFC 3339 with offset.', format: 'date-time' })
  @InstantFilter()
  to?: string;

  @ApiPropertyOptional({
    description: '`asc`: oldest first, for following along; `desc`: newest first, for reading.',
    enum: ['asc', 'desc'],
    default: 'asc',
  })
  @Parameter((value) => (value === 'desc' ? 'desc' : 'asc'))
  order: 'asc' | 'desc' = 'asc';
}

function kindsIn(value: unknown): string[] | undefined {
  const kinds = wordsIn(value).filter((kind) => KIND.test(kind));
  return kinds.length > 0 ? [...new Set(kinds)].sort().slice(0, 50) : undefined;
}
