import type { EventMetadata } from '#libs/event-store';
import { concerns, requestContext } from '#libs/http';
import type { Caller } from './caller.js';

/**
 * The actor, place and request in every event of a caller. Contains people's ids only: the log is permanent, and names must
 * be erasable.
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
