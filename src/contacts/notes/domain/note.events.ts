import type { DomainEvent } from '#libs/event-store';

interface OfNote {
  readonly contactId: string;
  readonly noteId: string;
}

export type NoteAdded = DomainEvent<'NoteAdded', OfNote>;
export type NoteUpdated = DomainEvent<'NoteUpdated', OfNote>;
/** For good. */
export type NoteDeleted = DomainEvent<'NoteDeleted', OfNote>;

/** What happened to a note, by ids: its text is never in the log. In the stream of its contact. */
export type NoteEvent = NoteAdded | NoteUpdated | NoteDeleted;
