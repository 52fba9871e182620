import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { eventContext } from '#libs/auth';
import type { Transaction } from '#libs/database';
import type { DomainEvent } from '#libs/event-store';
import { EventStore } from '#libs/event-store';
import type { ContactRow } from './views/contact.view.js';

/** Appends events of a contact, its notes and its files to the stream of the contact. */
@Injectable()
export class ContactLog {
  constructor(private readonly store: EventStore) {}

  /**
   * Locks the stream: other changes of the contact wait until the transaction ends.
   */
  async append(
    transaction: Transaction,
    caller: Caller,
    contact: Pick<ContactRow, 'id' | 'organization_id'>,
    event: DomainEvent,
  ): Promise<void> {
    const metadata = eventContext(caller, { organizationId: contact.organization_id, brandId: null });
    const stream = { stream: contact.id, streamType: 'contact', expected: 'any' as const };
    await this.store.append(transaction, { ...stream, events: [event], metadata });
  }
}
