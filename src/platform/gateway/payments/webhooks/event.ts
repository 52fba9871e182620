import { storable } from '#libs/http';
import { type Owner, ownerIn } from '../stripe/owned-objects.js';

/** What is stored of an event. Its contents are not: they may be out of date, and they name people. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly objectType: string;
  readonly objectId: string | null;
  /** The object and those it belongs to, the customer last: an owner is found by them. */
  readonly refs: readonly string[];
  /** By the metadata that the gateway wrote. */
  readonly owner: Owner | null;
  /** The key of the request that caused the event. */
  readonly providerKey: string | null;
}

const MAX_TEXT = 255;
/** A dispute and a refund name the payment only; an invoice payment names it in `payment`. A guest has no customer. */
const REFERENCES = ['id', 'payment_intent', 'charge', 'invoice', 'subscription'];

/**
 * Of API v2 (docs.stripe.com, event destinations): it names a change and has no contents. Nothing that the gateway sells is told by these
 * alone. An endpoint can be set up to get both kinds.
 */
export const isThinEvent = (value: unknown): boolean =>
  String(hash(value).object).startsWith('v2.core.event');

/** null for JSON that is no event. */
export function eventIn(value: unknown): ReceivedEvent | null {
  const event = hash(value);
  const object = hash(hash(event.data).object);
  const { created } = event;
  const [id, type] = [textIn(event.id), textIn(event.type)];
  if (event.object !== 'event' || id === null || type === null || !Number.isSafeInteger(created)) return null;
  const details = hash(hash(object.parent).subscription_details);
  const refs = REFERENCES.map((name) => object[name]);
  const belongsTo = [hash(object.payment).payment_intent, details.subscription, object.customer];
  return {
    id,
    type,
    occurredAt: new Date((created as number) * 1000),
    objectType: textIn(object.object) ?? 'unknown',
    objectId: idIn(object.id),
    refs: [...new Set([...refs, ...belongsTo].map(idIn).filter((ref) => ref !== null))],
    owner: ownerIn(object.metadata) ?? ownerIn(details.metadata),
    providerKey: textIn(hash(event.request).idempotency_key),
  };
}

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT ? storable(value) : null;

const hash = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** A reference is an id, or the object itself where it is expanded. */
function idIn(value: unknown): string | null {
  return textIn(typeof value === 'object' ? hash(value).id : value);
}
