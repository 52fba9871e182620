import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BelongsToService, type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import {
  BEARER_AUTH,
  Idempotent,
  IfMatch,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsEtag,
  ReturnsPage,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { AddNote, DeleteNote, UpdateNote } from './change-notes.js';
import { DeletedNoteDto, NoteDto, WriteNoteDto } from './note.dto.js';
import { GetNote, ListNotes } from './read-notes.js';
import { ContactNotFound, NoteNotFound } from '../domain/contact.errors.js';

@ApiTags('Notes')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@problemResponses(ContactNotFound, 500)
@Controller('api/contacts')
export class NotesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get(':id/notes')
  @RequiresScopes('contacts.read')
  @ApiOperation({
    summary: 'List the notes of a contact',
    description:
      'Newest first. Up to 1 000 are counted: where there are more, `pagination.totalExceeds` is 1000 and `pagination.total` is left out.',
  })
  @ReturnsPage(NoteDto, 'One page of notes.')
  listNotes(
    @Param('id', ParseIdPipe) contactId: string,
    @Query() query: ListQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<NoteDto>> {
    const scope = { list: 'notes:-id', filters: { contactId } };
    const load = async (after: string | null, limit: number) => {
      const list = { contactId, caller, after, limit, includeTotal: query.includeTotal };
      const { notes: rows, ...totals } = await this.queries.execute(new ListNotes(list));
      return { rows, ...totals };
    };
    return this.pages.byId(scope, query, load, (note) => note);
  }

  @Post(':id/notes')
  @RequiresScopes('contacts.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({ summary: 'Add a note to a contact', description: 'Plain text, stored unchanged.' })
  @ApiCreatedResponse({ type: NoteDto, description: 'The new note.' })
  async addNote(
    @Param('id', ParseIdPipe) contactId: string,
    @Body() { body }: WriteNoteDto,
    @CurrentCaller() caller: Caller,
  ): Promise<NoteDto> {
    return this.commands.execute(new AddNote({ contactId, body, caller }));
  }

  @Get(':contactId/notes/:noteId')
  @RequiresScopes('contacts.read')
  @ReturnsEtag()
  @ApiOperation({ summary: 'Get a note', description: 'One note of the contact.' })
  @ApiOkResponse({ type: NoteDto, description: 'The note.' })
  @problemResponses(NoteNotFound)
  async getNote(
    @Param('contactId', ParseIdPipe) contactId: string,
    @Param('noteId', ParseIdPipe) noteId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<NoteDto> {
    return this.queries.execute(new GetNote({ contactId, noteId, caller }));
  }

  @Put(':contactId/notes/:noteId')
  @RequiresScopes('contacts.write')
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Change a note',
    description: 'Replaces the text. With If-Match, a change of another version answers 412.',
  })
  @ApiOkResponse({ type: NoteDto, description: 'The current note.' })
  @problemResponses(NoteNotFound, VersionIsStale)
  async updateNote(
    @Param('contactId', ParseIdPipe) contactId: string,
    @Param('noteId', ParseIdPipe) noteId: string,
    @Body() { body }: WriteNoteDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<NoteDto> {
    const change = { contactId, noteId, caller, ifVersion };
    return this.commands.execute(new UpdateNote({ change, body }));
  }

  @Delete(':contactId/notes/:noteId')
  @RequiresScopes('contacts.write')
  @ApiOperation({ summary: 'Delete a note', description: 'Deletes the note permanently.' })
  @ApiOkResponse({ type: DeletedNoteDto, description: 'Deleted.' })
  @problemResponses(NoteNotFound, VersionIsStale)
  async deleteNote(
    @Param('contactId', ParseIdPipe) contactId: string,
    @Param('noteId', ParseIdPipe) noteId: string,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<DeletedNoteDto> {
    await this.commands.execute(new DeleteNote({ contactId, noteId, caller, ifVersion }));
    return { id: noteId, deleted: true };
  }
}
