import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '#libs/event-store';

export interface EventOutline {
  brandId?: string | null;
  organizationId?: string | null;
  type?: string;
  at?: string;
  stream?: string;
  data?: Record<string, unknown>;
}

let position = 0;

/** Events as a reaction gets them, for tests of reactions that need no log. */
export function recordedEvents(outlines: EventOutline[]): RecordedEvent[] {
  return outlines.map((outline) => ({
    id: randomUUID(),
    stream: outline.stream ?? randomUUID(),
    streamType: 'post',
    version: 1,
    type: outline.type ?? 'PostEdited',
    schemaVersion: 1,
    data: outline.data ?? { text: 'hello' },
    metadata: {
      organizationId:
        outline.organizationId === undefined
          ? '22222222-0000-7000-8000-000000000001'
          : outline.organizationId,
      brandId: outline.brandId ?? null,
      actor: { type: 'api_key', id: randomUUID(), name: 'Queue bot' },
      channel: 'api_key',
      requestId: randomUUID(),
      correlationId: randomUUID(),
      causationId: null,
    },
    at: outline.at ?? '2026-01-15T10:00:00.123Z',
    position: String(++position),
    transactionId: '700',
  }));
}
