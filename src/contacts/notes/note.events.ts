/** What happened to a note, by ids: its text is never in the log. In the stream of its contact. */
interface Happened<Type extends string> {
  readonly type: Type;
  readonly data: { readonly contactId: string; readonly noteId: string };
}

export type NoteAdded = Happened<'NoteAdded'>;
export type NoteUpdated = Happened<'NoteUpdated'>;
/** For good. */
export type NoteDeleted = Happened<'NoteDeleted'>;

export type NoteEvent = NoteAdded | NoteUpdated | NoteDeleted;
