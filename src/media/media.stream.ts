import { Injectable } from '@nestjs/common';
import { type Caller, eventContext } from '#libs/auth';
import type { Transaction } from '#libs/database';
import { type EventMetadata, EventStore } from '#libs/event-store';
import type { MediaEvent } from './domain/media.events.js';

/** The brand of a file and the organization that owns it now. */
export interface MediaOwner {
  readonly organizationId: string;
  readonly brandId: string;
}

const EVENT_TYPES: Record<MediaEvent['type'], true> = {
  MediaAdded: true,
  MediaRejected: true,
  MediaChanged: true,
  MediaDeleted: true,
};

@Injectable()
export class MediaLog {
  constructor(private readonly store: EventStore) {
    store.types.declareUnfolded('media', EVENT_TYPES);
  }

  /** Must be the first write of the transaction. Locks the stream: other changes of the file wait until its end. */
  append(transaction: Transaction, caller: Caller, owner: MediaOwner, event: MediaEvent): Promise<void> {
    return this.appendAs(transaction, eventContext(caller, owner), event);
  }

  async appendAs(transaction: Transaction, metadata: EventMetadata, event: MediaEvent): Promise<void> {
    const stream = { stream: event.data.mediaId, streamType: 'media', expected: 'any' as const };
    await this.store.append(transaction, { ...stream, events: [event], metadata });
  }
}
