import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, inGroup, LAST_ID, ofGroup, type RowOf, statement, viewOf } from '#libs/database';
import { counted, type Counted, MAX_TOTAL } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import { NoteNotFound } from '../domain/contact.errors.js';
import { ContactAccess } from '../queries/contacts.access.js';
import type { NoteDto } from './note.dto.js';

export type NoteRow = RowOf<NoteDto>;

export const NOTE_COLUMNS = `id, contact_id AS "contactId", body,
  json_build_object('type', author_type, 'id', author_id) AS author, created_at AS "createdAt", updated_at AS "updatedAt",
  version`;

export const noteOf = (row: NoteRow): NoteDto => viewOf<NoteDto>(row);

export class GetNote extends RequestQuery<{ contactId: string; noteId: string; caller: Caller }, NoteDto> {}

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

  async execute({ request: { contactId, noteId, caller } }: GetNote): Promise<NoteDto> {
    await this.access.find(contactId, caller, 'contacts.read');
    const [row] = await this.database.query<NoteRow>(GET, [noteId, contactId]);
    if (!row) throw new NoteNotFound();
    return noteOf(row);
  }
}

interface NoteList {
  readonly contactId: string;
  readonly caller: Caller;
  readonly after: string | null;
  readonly limit: number;
  readonly includeTotal: boolean;
}

interface NotesFound extends Counted {
  readonly notes: NoteDto[];
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
    const notes = rows.map(noteOf);
    if (!includeTotal) return { notes };
    const [count] = await this.database.query<{ total: number }>(COUNT, [contactId]);
    return { notes, ...counted(count?.total ?? 0) };
  }
}
