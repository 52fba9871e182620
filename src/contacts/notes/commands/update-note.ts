import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { statement } from '#libs/database';
import { NOTE_COLUMNS, type NoteSummary, summaryOf } from '../views/note.view.js';
import { type NoteChange, NoteChanges } from './note-changes.js';

export interface UpdateNoteRequest {
  readonly change: NoteChange;
  readonly body: string;
}

/** @throws ContactNotFound, NoteNotFound, ScopeIsMissing, VersionIsStale */
export class UpdateNote extends Command<NoteSummary> {
  constructor(readonly request: UpdateNoteRequest) {
    super();
  }
}

const UPDATE = statement(
  'update_note',
  `UPDATE contacts.note SET body = $2, version = version + 1, updated_at = now()
   WHERE id = $1 RETURNING ${NOTE_COLUMNS}`,
);

@CommandHandler(UpdateNote)
export class UpdateNoteHandler implements ICommandHandler<UpdateNote> {
  constructor(private readonly editor: NoteChanges) {}

  async execute({ request: { change, body } }: UpdateNote): Promise<NoteSummary> {
    return summaryOf(await this.editor.change(change, 'NoteUpdated', UPDATE, [body]));
  }
}
