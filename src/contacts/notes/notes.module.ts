import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ContactsAccessModule } from '../queries/contacts-access.module.js';
import { ContactLog } from '../contacts.stream.js';
import { AddNoteHandler } from './commands/add-note.js';
import { DeleteNoteHandler } from './commands/delete-note.js';
import { UpdateNoteHandler } from './commands/update-note.js';
import { NotesController } from './http/notes.controller.js';
import { NoteChanges } from './commands/note-changes.js';
import { GetNoteHandler } from './queries/get-note.js';
import { ListNotesHandler } from './queries/list-notes.js';

/** `/api/contacts/{id}/notes`. */
@Module({
  imports: [CqrsModule, ContactsAccessModule],
  controllers: [NotesController],
  providers: [
    ContactLog,
    NoteChanges,
    AddNoteHandler,
    UpdateNoteHandler,
    DeleteNoteHandler,
    GetNoteHandler,
    ListNotesHandler,
  ],
})
export class NotesModule {}
