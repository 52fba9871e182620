/**
 * What happened to a contact, by ids and names of fields: personal data is never in the log. An import is one event;
 * its contacts carry its id.
 */
interface Happened<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}

export type ContactField =
  'name' | 'email' | 'company' | 'jobTitle' | 'phones' | 'tags' | 'customFields' | 'externalId';

interface OfContact {
  readonly contactId: string;
}

export type ContactCreated = Happened<
  'ContactCreated',
  OfContact & { readonly fields: readonly ContactField[] }
>;
export type ContactUpdated = Happened<
  'ContactUpdated',
  OfContact & { readonly fields: readonly ContactField[] }
>;
export type ContactDeleted = Happened<'ContactDeleted', OfContact>;
export type ContactRestored = Happened<'ContactRestored', OfContact>;
/** Nothing of it is left, notes, files and movement notes included. */
export type ContactErased = Happened<'ContactErased', OfContact>;

export type ContactEvent = ContactCreated | ContactUpdated | ContactDeleted | ContactRestored | ContactErased;
