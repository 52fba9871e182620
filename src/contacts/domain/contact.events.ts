import type { DomainEvent } from '#libs/event-store';

export type ContactField =
  | 'name'
  | 'email'
  | 'company'
  | 'jobTitle'
  | 'phones'
  | 'tags'
  | 'customFields'
  | 'externalId'
  | 'additionalEmails'
  | 'addresses'
  | 'birthday'
  | 'department'
  | 'websites';

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
/** Nothing of it is left, notes, files and movement notes included. */
export type ContactErased = DomainEvent<'ContactErased', OfContact>;

/**
 * What happened to a contact, by ids and names of fields: personal data is never in the log. An import is one event;
 * its contacts carry its id.
 */
export type ContactEvent = ContactCreated | ContactUpdated | ContactDeleted | ContactRestored | ContactErased;
