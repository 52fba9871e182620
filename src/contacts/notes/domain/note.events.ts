import type { DomainEvent } from '#libs/event-store';

interface OfNote {
  readonly contactId: string;
  readonly noteId: string;
}

export type NoteAdded = DomainEvent<'NoteAdded', OfNote>;
export type NoteUpdated = DomainEvent<'NoteUpdated', OfNote>;
/** Permanent. */
export type NoteDeleted = DomainEvent<'NoteDeleted', OfNote>;

/** Events of a note, in the stream of its contact. They hold ids only: the text is personal data. */
export type NoteEvent = NoteAdded | NoteUpdated | NoteDeleted;
