import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { Database, type Statement } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { ContactAccess } from '../../queries/contacts.access.js';
import { ContactLog } from '../../contacts.stream.js';
import { NoteNotFound } from '../domain/note.errors.js';
import type { NoteEvent } from '../domain/note.events.js';
import type { NoteRow } from '../views/note.view.js';

export interface NoteChange {
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
   * @throws ContactNotFound, NoteNotFound, ScopeIsMissing, VersionIsStale
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
