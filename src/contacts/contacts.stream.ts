import { Injectable } from '@nestjs/common';
import { type Caller, eventContext } from '#libs/auth';
import type { Transaction } from '#libs/database';
import { type DomainEvent, EventStore } from '#libs/event-store';
import type { AttachmentEvent, ContactEvent, NoteEvent } from './domain/contact.events.js';
import type { ContactsExported } from './csv/export/export-contacts.js';
import type { ContactsImported } from './csv/import/import-request.js';
import type { ContactRow } from './views/contact.view.js';

const EVENT_TYPES: Record<(ContactEvent | NoteEvent | AttachmentEvent)['type'], true> = {
  ContactCreated: true,
  ContactUpdated: true,
  ContactDeleted: true,
  ContactRestored: true,
  ContactErased: true,
  NoteAdded: true,
  NoteUpdated: true,
  NoteDeleted: true,
  AttachmentAdded: true,
  AttachmentDeleted: true,
};
const IMPORT_TYPES: Record<ContactsImported['type'], true> = { ContactsImported: true };
const EXPORT_TYPES: Record<ContactsExported['type'], true> = { ContactsExported: true };

/** Appends events of a contact, its notes and its files to the stream of the contact. */
@Injectable()
export class ContactLog {
  constructor(private readonly store: EventStore) {
    store.types.declareUnfolded('contact', EVENT_TYPES);
    store.types.declareUnfolded('contact_import', IMPORT_TYPES);
    store.types.declareUnfolded('contact_export', EXPORT_TYPES);
  }

  /** Locks the stream: other changes of the contact wait until the transaction ends. */
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
