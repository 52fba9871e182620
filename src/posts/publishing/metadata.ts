import { randomUUIDv7 } from 'node:crypto';
import type { EventMetadata } from '#libs/event-store';
import type { By } from '../domain/post.events.js';

/** Who acts when nobody asked: the publisher keeps to what a person scheduled. */
export const publisher: By = { type: 'system', id: 'publisher' };

/** The circumstances of everything the publisher does to one post. */
export function workerContext(organizationId: string, brandId: string): EventMetadata {
  return {
    organizationId,
    brandId,
    actor: publisher,
    channel: 'worker',
    requestId: null,
    correlationId: randomUUIDv7(),
    causationId: null,
  };
}
