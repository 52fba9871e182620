import { randomUUID } from 'node:crypto';
import type { EventMetadata } from '../domain-event.js';

/** Metadata for tests that do not assert on it. */
export function anEventMetadata(overrides: Partial<EventMetadata> = {}): EventMetadata {
  return {
    organizationId: null,
    brandId: null,
    actor: { type: 'user', id: '00000000-0000-7000-8000-000000000001', name: 'Ada' },
    channel: 'bearer',
    requestId: null,
    correlationId: randomUUID(),
    causationId: null,
    ...overrides,
  };
}
