import type { DomainEvent } from '#libs/event-store';
import type { ContactField } from './contact-fields.js';

interface OfContact {
  readonly contactId: string;
}
type WithFields = OfContact & { readonly fields: readonly ContactField[] };

/**
 * Events of a contact. They hold ids and names of fields, never personal data. An import is one event; its contacts carry
 * its id. Erasing is permanent, with notes, files and movement notes.
 */
export type ContactEvent =
  | DomainEvent<'ContactCreated' | 'ContactUpdated', WithFields>
  | DomainEvent<'ContactDeleted' | 'ContactRestored' | 'ContactErased', OfContact>;

/** Events of a note, in the stream of its contact. They hold ids only: the text is personal data. Deleting is permanent. */
export type NoteEvent = DomainEvent<
  'NoteAdded' | 'NoteUpdated' | 'NoteDeleted',
  OfContact & { readonly noteId: string }
>;

/** Events of a file, in the stream of its contact. They hold ids only: file names are personal data. Deleting is permanent. */
export type AttachmentEvent = DomainEvent<
  'AttachmentAdded' | 'AttachmentDeleted',
  OfContact & { readonly attachmentId: string }
>;
