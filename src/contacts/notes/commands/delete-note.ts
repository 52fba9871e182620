import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { statement } from '#libs/database';
import { NOTE_COLUMNS } from '../views/note.view.js';
import { type NoteChange, NoteChanges } from './note-changes.js';

/** Deletes the note permanently. @throws ContactNotFound, NoteNotFound, ScopeIsMissing, VersionIsStale */
export class DeleteNote extends Command<void> {
  constructor(readonly request: NoteChange) {
    super();
  }
}

const DELETE = statement('delete_note', `DELETE FROM contacts.note WHERE id = $1 RETURNING ${NOTE_COLUMNS}`);

@CommandHandler(DeleteNote)
export class DeleteNoteHandler implements ICommandHandler<DeleteNote> {
  constructor(private readonly editor: NoteChanges) {}

  async execute({ request: change }: DeleteNote): Promise<void> {
    await this.editor.change(change, 'NoteDeleted', DELETE);
  }
}
