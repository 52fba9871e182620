import type { DomainEvent } from '#libs/event-store';
import type { ContactField } from './contact-fields.js';

interface OfContact {
  readonly contactId: string;
}

export type ContactCreated = DomainEvent<
  'ContactCreated',
  OfContact & { readonly fields: readonly ContactField[] }
>;
export type ContactUpdated = DomainEvent<
  'ContactUpdated',
  OfContact & { readonly fields: readonly ContactField[] }
>;
export type ContactDeleted = DomainEvent<'ContactDeleted', OfContact>;
export type ContactRestored = DomainEvent<'ContactRestored', OfContact>;
/** Permanent, with notes, files and movement notes. */
export type ContactErased = DomainEvent<'ContactErased', OfContact>;

/**
 * Events of a contact. They hold ids and names of fields, never personal data. An import is one event; its contacts carry
 * its id.
 */
export type ContactEvent = ContactCreated | ContactUpdated | ContactDeleted | ContactRestored | ContactErased;
