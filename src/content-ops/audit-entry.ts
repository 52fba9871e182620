import type { RecordedEvent } from '#libs/event-store';

/** What the audit keeps of one event. Every member is part of the hash; nothing in it depends on a position in the log. */
export interface AuditEntry {
  readonly eventId: string;
  /** Machine-readable: what it happened to, a dot, what happened, as in `post.publish_attempt_started`. */
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
  /** Of automations only: people are known by their id. */
  readonly actorName: string | null;
  readonly channel: string;
  readonly requestId: string | null;
  readonly correlationId: string;
  /** The event's own data: what changed, by name, and to what. */
  readonly details: Readonly<Record<string, unknown>>;
}

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

/** Which chain an entry belongs to: its brand's, else its organization's. A transferred brand keeps its chain. */
export function chainOf(entry: Pick<AuditEntry, 'brandId' | 'organizationId'>): string {
  if (entry.brandId) return brandChain(entry.brandId);
  return entry.organizationId ? organizationChain(entry.organizationId) : 'platform';
}

export const brandChain = (brandId: string): string => `brand:${brandId}`;
export const organizationChain = (organizationId: string): string => `organization:${organizationId}`;

/** `post` + `PostScheduled` → `post.scheduled`; a type that does not begin with its subject keeps all its words. */
export function kindOf(subjectType: string, eventType: string): string {
  const subject = words(subjectType);
  const event = words(eventType);
  const said = event.startsWith(`${subject}_`) ? event.slice(subject.length + 1) : event;
  return `${subject}.${said}`;
}

function words(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

function contentOf(event: RecordedEvent): string | null {
  if (event.streamType === 'post') return event.stream;
  const { postId } = (event.data ?? {}) as { postId?: unknown };
  return typeof postId === 'string' && UUID.test(postId) ? postId.toLowerCase() : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Said by the envelope already. */
const ENVELOPE = new Set(['postId', 'brandId', 'organizationId', 'by']);

function detailsOf(event: RecordedEvent): Record<string, unknown> {
  const data = withoutSecrets(event.data ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !ENVELOPE.has(name)));
}

/**
 * Events carry neither secrets nor personal data. Should one ever slip in, it must not be copied into a table from
 * which nothing can be deleted; its name stays, its value does not.
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

/** PostgreSQL spells 1e21 out and JavaScript does not; as text both spell it alike, which the hash needs. */
function withoutExponent(value: number): number | string {
  const spelled = String(value);
  return spelled.includes('e') ? spelled : value;
}
