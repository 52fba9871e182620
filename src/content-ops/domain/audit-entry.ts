import { kindOf } from '#libs/content';
import type { RecordedEvent } from '#libs/event-store';

/**
 * JSON with one spelling per value: members sorted by name, no white space (RFC 8785). Equal values give equal bytes in any
 * order of members. `undefined` members are omitted.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) return canonicalObject(value as Record<string, unknown>);
  return JSON.stringify(value) ?? 'null';
}

function canonicalObject(value: Record<string, unknown>): string {
  const members = [];
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  }
  return `{${members.join(',')}}`;
}

/** The audit entry of one event. Every member is hashed; none depends on the position in the log. */
export interface AuditEntry {
  readonly eventId: string;
  /** Machine-readable: subject, dot, event, as in `post.publish_attempt_started`. */
  readonly kind: string;
  /** When the event was stored. RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** The subject's version after the event, from 1. */
  readonly version: number;
  /** The post concerned, if any. */
  readonly contentId: string | null;
  readonly organizationId: string | null;
  readonly brandId: string | null;
  readonly actorType: string;
  readonly actorId: string;
  /** For automations only; people are identified by id. */
  readonly actorName: string | null;
  readonly channel: string;
  readonly requestId: string | null;
  readonly correlationId: string;
  /** The event's data: the changed fields and their values. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The types of the columns of an entry in the table of the audit, in their order. */
const COLUMN_TYPES: Readonly<Record<keyof AuditEntry, string>> = {
  eventId: 'uuid',
  kind: 'text',
  at: 'timestamptz',
  subjectType: 'text',
  subjectId: 'uuid',
  version: 'int',
  contentId: 'uuid',
  organizationId: 'uuid',
  brandId: 'uuid',
  actorType: 'text',
  actorId: 'text',
  actorName: 'text',
  channel: 'text',
  requestId: 'text',
  correlationId: 'text',
  details: 'jsonb',
};

export const AUDIT_COLUMNS = Object.entries(COLUMN_TYPES).map(([member, type]) => ({
  member: member as keyof AuditEntry,
  column: member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  type,
}));

/** Reads only the envelope of an event, so that events of new features need no change here. */
export function auditEntryOf(event: RecordedEvent): AuditEntry {
  const { actor, ...context } = event.metadata;
  return {
    eventId: event.id,
    kind: kindOf(event.streamType, event.type),
    at: event.at,
    subjectType: event.streamType,
    subjectId: event.stream,
    version: event.version,
    contentId: contentOf(event),
    organizationId: context.organizationId,
    brandId: context.brandId,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.type === 'user' ? null : (actor.name ?? null),
    channel: context.channel,
    requestId: context.requestId,
    correlationId: context.correlationId,
    details: detailsOf(event),
  };
}

/** The chain of an entry: that of its brand, else of its organization. A transferred brand keeps its chain. */
export function chainOf(entry: Pick<AuditEntry, 'brandId' | 'organizationId'>): string {
  if (entry.brandId) return brandChain(entry.brandId);
  return entry.organizationId ? organizationChain(entry.organizationId) : 'platform';
}

export const brandChain = (brandId: string): string => `brand:${brandId}`;
export const organizationChain = (organizationId: string): string => `organization:${organizationId}`;

function contentOf(event: RecordedEvent): string | null {
  if (event.streamType === 'post') return event.stream;
  const { postId } = (event.data ?? {}) as { postId?: unknown };
  return typeof postId === 'string' && UUID.test(postId) ? postId.toLowerCase() : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Already in the envelope. */
const ENVELOPE = new Set(['postId', 'brandId', 'organizationId', 'by']);

function detailsOf(event: RecordedEvent): Record<string, unknown> {
  const data = withoutSecrets(event.data ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !ENVELOPE.has(name)));
}

/**
 * Events contain neither secrets nor personal data. A safeguard: if one does, its value must not be copied into an
 * append-only table. The name stays.
 */
const CONFIDENTIAL =
  /(token|secret|password|authorization|cookie|credential|apikey|api_key|email|phone)(s|hash|value)?$/i;

function withoutSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined) return value;
  if (CONFIDENTIAL.test(name)) return '[removed]';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value === 'number') return withoutExponent(value);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, key)]));
}

/** As text, because PostgreSQL and JavaScript format 1e21 differently and the hash must match. */
function withoutExponent(value: number): number | string {
  const spelled = String(value);
  return spelled.includes('e') ? spelled : value;
}
