import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { eventContext } from '#libs/auth';
import type { Transaction } from '#libs/database';
import type { DomainEvent } from '#libs/event-store';
import { EventStore } from '#libs/event-store';
import type { ContactRow } from './views/contact.view.js';

/** Tells the log what happened to a contact, or to something that hangs on it: all in the contact's own stream. */
@Injectable()
export class ContactLog {
  constructor(private readonly store: EventStore) {}

  /**
   * To be the first write of its transaction. Whatever happens to one contact happens in turn from here on: what the
   * transaction reads afterwards nobody changes until it ends.
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
