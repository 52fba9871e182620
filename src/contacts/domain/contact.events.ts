import type { DomainEvent } from '#libs/event-store';
import type { ContactField } from './contact-fields.js';

interface OfAttachment {
  readonly contactId: string;
  readonly attachmentId: string;
}

type AttachmentAdded = DomainEvent<'AttachmentAdded', OfAttachment>;
/** Permanently, with the file. */
type AttachmentDeleted = DomainEvent<'AttachmentDeleted', OfAttachment>;

/** Events of an attachment, in the stream of its contact. They hold ids only: file names are personal data. */
export type AttachmentEvent = AttachmentAdded | AttachmentDeleted;

interface OfNote {
  readonly contactId: string;
  readonly noteId: string;
}

type NoteAdded = DomainEvent<'NoteAdded', OfNote>;
type NoteUpdated = DomainEvent<'NoteUpdated', OfNote>;
/** Permanent. */
type NoteDeleted = DomainEvent<'NoteDeleted', OfNote>;

/** Events of a note, in the stream of its contact. They hold ids only: the text is personal data. */
export type NoteEvent = NoteAdded | NoteUpdated | NoteDeleted;

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
