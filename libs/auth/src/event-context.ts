import type { EventMetadata } from '#libs/event-store';
import { concerns, requestContext } from '#libs/http';
import type { Caller } from './caller.js';

/**
 * Who did it, where and by which request: what every event of a caller carries. People go in by their id alone: the log
 * is for ever, and a name must be forgettable.
 */
export function eventContext(
  caller: Caller,
  place: { readonly organizationId: string | null; readonly brandId: string | null },
): EventMetadata {
  const { requestId, correlationId } = requestContext();
  if (place.organizationId !== null) concerns(place.organizationId);
  return {
    organizationId: place.organizationId,
    brandId: place.brandId,
    actor: { type: caller.type, id: caller.id, ...(caller.isAutomation ? { name: caller.name } : {}) },
    channel: caller.channel,
    requestId,
    correlationId,
    causationId: null,
  };
}
