import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, type Statement, statement } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { ContactLog } from '../contacts.stream.js';
import { ContactNotFound, NoteNotFound } from '../domain/contact.errors.js';
import { ContactAccess } from '../queries/contacts.access.js';
import type { NoteEvent } from '../domain/contact.events.js';
import type { NoteDto } from './note.dto.js';
import { NOTE_COLUMNS, noteOf, type NoteRow } from './read-notes.js';

interface NoteChange {
  readonly contactId: string;
  readonly noteId: string;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** Common to all changes of a note: access, version check, and the event in the same transaction. */
@Injectable()
export class NoteChanges {
  constructor(
    private readonly database: Database,
    private readonly access: ContactAccess,
    private readonly log: ContactLog,
  ) {}

  /**
   * @param write returns the written row; $1 is the note, then `values`.
   */
  async change(
    { contactId, noteId, caller, ifVersion }: NoteChange,
    type: NoteEvent['type'],
    write: Statement,
    values: readonly unknown[] = [],
  ): Promise<NoteRow> {
    const contact = await this.access.find(contactId, caller, 'contacts.write');
    return this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, contact, { type, data: { contactId, noteId } });
      // The append has locked the stream of the contact: its notes and files cannot change until the transaction ends.
      await this.access.find(contactId, caller, 'contacts.write');
      const [before] = await transaction.query<Pick<NoteRow, 'version'>>(
        'SELECT version FROM contacts.note WHERE id = $1 AND contact_id = $2',
        [noteId, contactId],
      );
      if (!before) throw new NoteNotFound();
      if (ifVersion !== undefined && ifVersion !== before.version) throw new VersionIsStale(before.version);
      const [after] = await transaction.query<NoteRow>(write, [noteId, ...values]);
      if (!after) throw new NoteNotFound();
      return after;
    });
  }
}

export class AddNote extends RequestCommand<{ contactId: string; body: string; caller: Caller }, NoteDto> {}

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

  async execute({ request: { contactId, body, caller } }: AddNote): Promise<NoteDto> {
    const contact = await this.access.find(contactId, caller, 'contacts.write');
    const noteId = randomUUIDv7();
    const event: NoteEvent = { type: 'NoteAdded', data: { contactId, noteId } };
    return this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, contact, event);
      const values = [noteId, contactId, body, caller.type, caller.id];
      const [row] = await transaction.query<NoteRow>(INSERT, values);
      if (!row) throw new ContactNotFound();
      return noteOf(row);
    });
  }
}

export class UpdateNote extends RequestCommand<{ change: NoteChange; body: string }, NoteDto> {}

const UPDATE = statement(
  'update_note',
  `UPDATE contacts.note SET body = $2, version = version + 1, updated_at = now()
   WHERE id = $1 RETURNING ${NOTE_COLUMNS}`,
);

@CommandHandler(UpdateNote)
export class UpdateNoteHandler implements ICommandHandler<UpdateNote> {
  constructor(private readonly editor: NoteChanges) {}

  async execute({ request: { change, body } }: UpdateNote): Promise<NoteDto> {
    return noteOf(await this.editor.change(change, 'NoteUpdated', UPDATE, [body]));
  }
}

export class DeleteNote extends RequestCommand<NoteChange, void> {}

const DELETE = statement('delete_note', `DELETE FROM contacts.note WHERE id = $1 RETURNING ${NOTE_COLUMNS}`);

@CommandHandler(DeleteNote)
export class DeleteNoteHandler implements ICommandHandler<DeleteNote> {
  constructor(private readonly editor: NoteChanges) {}

  async execute({ request: change }: DeleteNote): Promise<void> {
    await this.editor.change(change, 'NoteDeleted', DELETE);
  }
}
