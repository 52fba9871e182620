import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, inGroup, LAST_ID, ofGroup, statement } from '#libs/database';
import { counted, type Counted, MAX_TOTAL } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import { ContactAccess } from '../queries/contacts.access.js';
import { NoteNotFound } from '../domain/contact.errors.js';
import { NOTE_COLUMNS, type NoteRow, type NoteSummary, summaryOf } from './note.view.js';

export class GetNote extends RequestQuery<
  { contactId: string; noteId: string; caller: Caller },
  NoteSummary
> {}

const GET = statement(
  'get_note',
  `SELECT ${NOTE_COLUMNS} FROM contacts.note WHERE id = $1 AND contact_id = $2`,
);

@QueryHandler(GetNote)
export class GetNoteHandler implements IQueryHandler<GetNote> {
  constructor(
    private readonly database: Database,
    private readonly access: ContactAccess,
  ) {}

  async execute({ request: { contactId, noteId, caller } }: GetNote): Promise<NoteSummary> {
    await this.access.find(contactId, caller, 'contacts.read');
    const [row] = await this.database.query<NoteRow>(GET, [noteId, contactId]);
    if (!row) throw new NoteNotFound();
    return summaryOf(row);
  }
}

interface NoteList {
  readonly contactId: string;
  readonly caller: Caller;
  /** Id of the last note of the previous page. */
  readonly after: string | null;
  readonly limit: number;
  readonly includeTotal: boolean;
}

interface NotesFound extends Counted {
  readonly notes: NoteSummary[];
}

/** Newest first. */
export class ListNotes extends RequestQuery<NoteList, NotesFound> {}

const LIST = statement(
  'list_notes',
  `SELECT ${NOTE_COLUMNS} FROM contacts.note
   WHERE ${ofGroup('contact_id', 'id', '$1::uuid', { before: `coalesce($2::uuid, '${LAST_ID}')` })}
   ORDER BY contact_id DESC, id DESC LIMIT $3`,
);

const COUNT = statement(
  'count_notes',
  `SELECT count(*)::int AS total FROM (
     SELECT FROM contacts.note WHERE ${inGroup('contact_id', '$1::uuid')}
     ORDER BY contact_id, id LIMIT ${MAX_TOTAL + 1}) AS counted`,
);

@QueryHandler(ListNotes)
export class ListNotesHandler implements IQueryHandler<ListNotes> {
  constructor(
    private readonly database: Database,
    private readonly access: ContactAccess,
  ) {}

  async execute({ request: list }: ListNotes): Promise<NotesFound> {
    const { contactId, caller, after, limit, includeTotal } = list;
    await this.access.find(contactId, caller, 'contacts.read');
    const rows = await this.database.query<NoteRow>(LIST, [contactId, after, limit]);
    const notes = rows.map(summaryOf);
    if (!includeTotal) return { notes };
    const [count] = await this.database.query<{ total: number }>(COUNT, [contactId]);
    return { notes, ...counted(count?.total ?? 0) };
  }
}
