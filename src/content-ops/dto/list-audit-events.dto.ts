import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { ListQuery, parseInstant } from '#libs/http';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** No post has it: what cannot be an id is the id of nothing, which is not the same as asking for everything. */
const NO_CONTENT = '00000000-0000-0000-0000-000000000000';
const KIND = /^[a-z0-9_]{1,64}\.[a-z0-9_]{1,64}$/;

export class ListAuditEventsDto extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({ description: 'Events about one content item.', format: 'uuid' })
  @Transform(({ value }) => (value === undefined ? undefined : idOf(value)), { toClassOnly: true })
  @Allow()
  contentId?: string;

  @ApiPropertyOptional({
    description: 'Only these kinds; repeat the parameter or separate by commas.',
    type: [String],
    example: ['post.approved', 'post.rejected'],
  })
  @Transform(({ value }) => kindsOf(value), { toClassOnly: true })
  @Allow()
  kind?: string[];

  @ApiPropertyOptional({ description: 'Only what this person, service principal or API key did: its id.' })
  @Transform(({ value }) => (typeof value === 'string' && value ? value.slice(0, 200) : undefined), {
    toClassOnly: true,
  })
  @Allow()
  actor?: string;

  @ApiPropertyOptional({ description: 'Not before this instant: RFC 3339 with offset.', format: 'date-time' })
  @Transform(({ value }) => instantOf(value), { toClassOnly: true })
  @Allow()
  from?: string;

  @ApiPropertyOptional({ description: 'Before this instant: RFC 3339 with offset.', format: 'date-time' })
  @Transform(({ value }) => instantOf(value), { toClassOnly: true })
  @Allow()
  to?: string;

  @ApiPropertyOptional({
    description: '`asc`: oldest first, for following along; `desc`: newest first, for reading.',
    enum: ['asc', 'desc'],
    default: 'asc',
  })
  @Transform(({ value }) => (value === 'desc' ? 'desc' : 'asc'), { toClassOnly: true })
  @Allow()
  order: 'asc' | 'desc' = 'asc';
}

function idOf(value: unknown): string {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : NO_CONTENT;
}

function kindsOf(value: unknown): string[] | undefined {
  const given = [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []));
  const kinds = given.map((kind) => kind.trim()).filter((kind) => KIND.test(kind));
  return kinds.length > 0 ? [...new Set(kinds)].sort().slice(0, 50) : undefined;
}

/** In one spelling, because the cursor is bound to it. */
function instantOf(value: unknown): string | undefined {
  const instant = parseInstant(value);
  return instant === undefined ? undefined : new Date(instant).toISOString();
}
