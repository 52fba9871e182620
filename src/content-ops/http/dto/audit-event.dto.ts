import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { FilterOf, IdFilter, InstantFilter, ListQuery, Parameter, WordsFilter } from '#libs/http';
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

export class AuditActorDto {
  @ApiProperty({ enum: ['user', 'service', 'api_key', 'system'], example: 'api_key' })
  type!: string;

  @ApiProperty({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  id!: string;

  @ApiProperty({
    description: 'Of automations; people are known by their id only.',
    type: 'string',
    nullable: true,
    example: 'Queue robot',
  })
  name!: string | null;
}

/** One content operation. Later changes and removals are detectable. */
export class AuditEventDto {
  @ApiProperty({ format: 'uuid', example: '01936d30-1a2b-7c3d-8e4f-5a6b7c8d9e0f' })
  id!: string;

  @ApiProperty({
    description: 'What it happened to, a dot, what happened. `kind` of the list takes these words.',
    example: 'post.approved',
  })
  kind!: string;

  @ApiProperty({
    description: 'UTC, milliseconds.',
    format: 'date-time',
    example: '2026-11-21T09:30:00.000Z',
  })
  at!: string;

  @ApiProperty({ description: 'The content item concerned.', type: 'string', format: 'uuid', nullable: true })
  contentId!: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  brandId!: string | null;

  @ApiProperty({
    description: 'The organization at that time; a brand may have moved since.',
    type: 'string',
    format: 'uuid',
    nullable: true,
  })
  organizationId!: string | null;

  @ApiProperty({ description: 'What kind of thing it happened to.', example: 'post' })
  subjectType!: string;

  @ApiProperty({ format: 'uuid' })
  subjectId!: string;

  @ApiProperty({ description: 'Its version afterwards, from 1.', type: 'integer', example: 3 })
  version!: number;

  @ApiProperty({ type: () => AuditActorDto })
  actor!: AuditActorDto;

  @ApiProperty({ enum: ['bearer', 'api_key', 'worker', 'network', 'system'], example: 'api_key' })
  channel!: string;

  @ApiProperty({ description: 'X-Request-Id of the request that caused it.', type: 'string', nullable: true })
  requestId!: string | null;

  @ApiProperty({ description: 'The same for everything that one act of a caller set off.' })
  correlationId!: string;

  @ApiProperty({
    description: 'Names of the members of `details`, sorted.',
    type: [String],
    example: ['reason'],
  })
  changed!: string[];

  @ApiProperty({
    description: 'What changed, and to what. Post text may appear; personal data and secrets never do.',
    type: 'object',
    additionalProperties: true,
    example: { reason: 'On brand' },
  })
  details!: Readonly<Record<string, unknown>>;

  @ApiProperty({
    description: 'SHA-256 over this event and the hash before it in the chain of its brand; hexadecimal.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  hash!: string;

  static of(row: AuditRow): AuditEventDto {
    return {
      id: row.event_id,
      kind: row.kind,
      at: row.at.toISOString(),
      contentId: row.content_id,
      brandId: row.brand_id,
      organizationId: row.organization_id,
      subjectType: row.subject_type,
      subjectId: row.subject_id,
      version: row.version,
      actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
      channel: row.channel,
      requestId: row.request_id,
      correlationId: row.correlation_id,
      changed: changedIn(row.details),
      details: row.details,
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
