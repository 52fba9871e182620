import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { FilterOf, IdFilter, InstantFilter, ListQuery, Parameter, WordsFilter } from '#libs/http';

const OrderParameter = () =>
  Parameter((value, ignore) => {
    if (value === 'asc' || value === 'desc') return value;
    if (value !== undefined && value !== '') ignore('not_allowed', 'must be asc or desc; asc applies');
    return 'asc';
  });

export class ListAuditEventsDto extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({ description: 'Events about one content item.', format: 'uuid' })
  @IdFilter()
  contentId?: string;

  @ApiPropertyOptional({
    description:
      'Only these kinds, of those that `AuditEventDto.kind` lists; repeat the parameter or separate by commas. Others are refused.',
    type: [String],
    example: ['post.approved', 'post.rejected'],
  })
  @WordsFilter(() => true, 'must be kinds of events, such as post.approved')
  kind?: string[];

  @ApiPropertyOptional({ description: 'Only what this person, service principal or API key did: its id.' })
  @FilterOf((actor) => actor.slice(0, 200), 'not_an_id', 'one id')
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
  @OrderParameter()
  order: 'asc' | 'desc' = 'asc';
}
