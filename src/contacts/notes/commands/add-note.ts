import { randomUUIDv7 } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { ContactNotFound } from '../../domain/contact.errors.js';
import { ContactAccess } from '../../queries/contacts.access.js';
import { ContactLog } from '../../contacts.stream.js';
import type { NoteEvent } from '../domain/note.events.js';
import { NOTE_COLUMNS, type NoteRow, type NoteSummary, summaryOf } from '../views/note.view.js';

export interface AddNoteRequest {
  readonly contactId: string;
  readonly body: string;
  readonly caller: Caller;
}

/** @throws ContactNotFound, ScopeIsMissing */
export class AddNote extends Command<NoteSummary> {
  constructor(readonly request: AddNoteRequest) {
    super();
  }
}

/** Returns no row when the contact was deleted meanwhile. */
const INSERT = statement(
  'insert_note',
  `INSERT INTO contacts.note (id, contact_id, body, author_type, author_id)
   SELECT $1, id, $3, $4, $5 FROM contacts.contact WHERE id = $2 AND deleted_at IS NULL
   RETURNING ${NOTE_COLUMNS}`,
);

@CommandHandler(AddNote)
export class AddNoteHandler implements ICommandHandler<AddNote> {
  constructor(
    private readonly database: Database,
    private readonly access: ContactAccess,
    private readonly log: ContactLog,
  ) {}

  async execute({ request: { contactId, body, caller } }: AddNote): Promise<NoteSummary> {
    const contact = await this.access.find(contactId, caller, 'contacts.write');
    const noteId = randomUUIDv7();
    const event: NoteEvent = { type: 'NoteAdded', data: { contactId, noteId } };
    return this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, contact, event);
      const values = [noteId, contactId, body, caller.type, caller.id];
      const [row] = await transaction.query<NoteRow>(INSERT, values);
      if (!row) throw new ContactNotFound();
      return summaryOf(row);
    });
  }
}
