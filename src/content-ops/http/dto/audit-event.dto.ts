import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { FilterOf, IdFilter, InstantFilter, is, ListQuery, Parameter, shape, WordsFilter } from '#libs/http';
import type { AuditRow } from '../../queries/list-audit-events.js';

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

export class AuditActorDto extends shape({
  type: is.text({ enum: ['user', 'service', 'api_key', 'system'], example: 'api_key' }),
  id: is.text({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  name: is.text({ description: 'Of automations; people are known by their id only.', example: 'Queue robot' })
    .orNull,
}) {}

/** One content operation. Later changes and removals are detectable. */
export class AuditEventDto extends shape({
  id: is.uuid({ example: '01936d30-1a2b-7c3d-8e4f-5a6b7c8d9e0f' }),
  kind: is.text({
    description: 'What it happened to, a dot, what happened. `kind` of the list takes these words.',
    example: 'post.approved',
  }),
  at: is.instant({ description: 'UTC, milliseconds.', example: '2026-11-21T09:30:00.000Z' }),
  contentId: is.uuid({ description: 'The content item concerned.' }).orNull,
  brandId: is.uuid().orNull,
  organizationId: is.uuid({ description: 'The organization at that time; a brand may have moved since.' })
    .orNull,
  subjectType: is.text({ description: 'What kind of thing it happened to.', example: 'post' }),
  subjectId: is.uuid(),
  version: is.integer({ description: 'Its version afterwards, from 1.', example: 3 }),
  actor: is.object(() => AuditActorDto),
  channel: is.text({ enum: ['bearer', 'api_key', 'worker', 'network', 'system'], example: 'api_key' }),
  requestId: is.text({ description: 'X-Request-Id of the request that caused it.' }).orNull,
  correlationId: is.text({ description: 'The same for everything that one act of a caller set off.' }),
  changed: is.texts({ description: 'Names of the members of `details`, sorted.', example: ['reason'] }),
  details: is.of<Readonly<Record<string, unknown>>>({
    description: 'What changed, and to what. Post text may appear; personal data and secrets never do.',
    type: 'object',
    additionalProperties: true,
    example: { reason: 'On brand' },
  }),
  hash: is.text({
    description: 'SHA-256 over this event and the hash before it in the chain of its brand; hexadecimal.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
}) {
  static of({ eventId: id, entry: _, actorType, actorId, actorName, ...row }: AuditRow): AuditEventDto {
    return {
      ...row,
      id,
      at: row.at.toISOString(),
      actor: { type: actorType, id: actorId, name: actorName },
      changed: changedIn(row.details),
      hash: row.hash.toString('hex'),
    };
  }
}

/** The changed fields that the event lists, else all its fields. */
function changedIn(details: Readonly<Record<string, unknown>>): string[] {
  const { changed } = details;
  if (Array.isArray(changed)) return changed.map(String).sort();
  return Object.keys(details).sort();
}
