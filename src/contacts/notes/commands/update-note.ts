import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { statement } from '#libs/database';
import type { NoteSummary } from '../views/note.view.js';
import { NOTE_COLUMNS, summaryOf } from '../views/note.view.js';
import type { NoteChange } from './note-changes.js';
import { NoteChanges } from './note-changes.js';

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
