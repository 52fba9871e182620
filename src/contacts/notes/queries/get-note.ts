import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { ContactAccess } from '../../queries/contacts.access.js';
import { NoteNotFound } from '../domain/note.errors.js';
import { NOTE_COLUMNS, type NoteRow, type NoteSummary, summaryOf } from '../views/note.view.js';

export interface GetNoteRequest {
  readonly contactId: string;
  readonly noteId: string;
  readonly caller: Caller;
}

/** @throws ContactNotFound, NoteNotFound, ScopeIsMissing */
export class GetNote extends Query<NoteSummary> {
  constructor(readonly request: GetNoteRequest) {
    super();
  }
}

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
