import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BelongsToService,
  type Caller,
  CurrentCaller,
  OrganizationNotFound,
  organizationsFor,
  RequiresScopes,
} from '#libs/auth';
import {
  BEARER_AUTH,
  Idempotent,
  IfMatch,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsEtag,
  ReturnsPage,
  warnOfParameter,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { CreateContact } from '../commands/create-contact.js';
import { DeleteContact, EraseContact, RestoreContact, UpdateContact } from '../commands/change-contacts.js';
import {
  ContactDto,
  CreateContactDto,
  CreateContactQuery,
  DeleteContactQuery,
  DeletedContactDto,
  UpdateContactDto,
} from './dto/contact.dto.js';
import { ListContactsQuery } from './dto/list-contacts.dto.js';
import { GetContact } from '../queries/contacts.access.js';
import { type ContactList, ListContacts, type ListPlace } from '../queries/list-contacts.js';
import { SearchContacts, type SearchPlace, type SearchRequest } from '../queries/search-contacts.js';
import { ContactNotFound } from '../domain/contact.errors.js';

@ApiTags('Contacts')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@problemResponses(500)
@Controller('api/contacts')
export class ContactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get()
  @RequiresScopes('contacts.read')
  @ApiOperation({
    operationId: 'listContacts',
    summary: 'List and search contacts',
    description:
      'Newest first, or in the order of `sort`; with `q` the best matches first, of at most 1 000 ranked matches. Up to 1 000 are counted: where there are more, `pagination.totalExceeds` is 1000 and `pagination.total` is left out.',
  })
  @ReturnsPage(ContactDto, 'One page of contacts.')
  async listContacts(
    @Query() query: ListContactsQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<ContactDto>> {
    const text = textOf(query);
    const { organizationId, deleted } = query;
    const selection = {
      organizationIds: organizationsFor(caller, 'contacts.read', organizationId),
      deleted,
      offset: offsetOf(query),
    };
    const filters = { text, organizationId, deleted };
    return text === undefined
      ? this.list({ ...selection, sort: query.sort ?? '-createdAt' }, query, filters)
      : this.search({ ...selection, text }, query, filters);
  }

  @Post()
  @RequiresScopes('contacts.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'createContact',
    summary: 'Create a contact',
    description:
      'With a name, an email address or both. It belongs to one organization of the caller: the given or the only one. Several contacts can share an address, unless `onDuplicate=reject` is set.',
  })
  @ApiCreatedResponse({ type: ContactDto, description: 'The new contact.' })
  @problemResponses(OrganizationNotFound)
  async createContact(
    @Body() body: CreateContactDto,
    @Query() { onDuplicate }: CreateContactQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<ContactDto> {
    const { organizationId, ...fields } = body;
    return this.commands.execute(new CreateContact({ caller, organizationId, fields, onDuplicate }));
  }

  @Get(':id')
  @RequiresScopes('contacts.read')
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'getContact',
    summary: 'Get a contact',
    description: 'A soft-deleted contact is not found until it is restored.',
  })
  @ApiOkResponse({ type: ContactDto, description: 'The contact.' })
  @problemResponses(ContactNotFound)
  async getContact(
    @Param('id', ParseIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<ContactDto> {
    return this.queries.execute(new GetContact({ contactId: id, caller }));
  }

  @Put(':id')
  @RequiresScopes('contacts.write')
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'updateContact',
    summary: 'Change a contact',
    description:
      'Missing fields are unchanged; null clears a field. Lists and custom fields are replaced as a whole. With If-Match, a change of another version answers 412.',
  })
  @ApiOkResponse({ type: ContactDto, description: 'The current contact.' })
  @problemResponses(ContactNotFound, VersionIsStale)
  async updateContact(
    @Param('id', ParseIdPipe) id: string,
    @Body() body: UpdateContactDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<ContactDto> {
    return this.commands.execute(new UpdateContact({ contactId: id, changes: body, caller, ifVersion }));
  }

  @Delete(':id')
  @RequiresScopes('contacts.write')
  @ApiOperation({
    operationId: 'deleteContact',
    summary: 'Delete a contact',
    description:
      'Sets the deleted flag: the contact disappears from all lists and searches and can be restored. With `erase=true` an owner or admin of the organization removes it permanently, deleted or not, with its notes, files and cards.',
  })
  @ApiOkResponse({ type: DeletedContactDto, description: 'Deleted.' })
  @problemResponses(ContactNotFound, VersionIsStale)
  async deleteContact(
    @Param('id', ParseIdPipe) id: string,
    @Query() { erase }: DeleteContactQuery,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<DeletedContactDto> {
    const Command = erase ? EraseContact : DeleteContact;
    await this.commands.execute(new Command({ contactId: id, caller, ifVersion }));
    return { id, deleted: true, erased: erase };
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequiresScopes('contacts.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'restoreContact',
    summary: 'Restore a deleted contact',
    description: 'Clears the deleted flag. A contact that is not deleted is unchanged.',
  })
  @ApiOkResponse({ type: ContactDto, description: 'The current contact.' })
  @problemResponses(ContactNotFound, VersionIsStale)
  async restoreContact(
    @Param('id', ParseIdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<ContactDto> {
    return this.commands.execute(new RestoreContact({ contactId: id, caller, ifVersion }));
  }

  private list(
    which: Omit<ContactList, 'after' | 'limit' | 'includeTotal'>,
    query: ListContactsQuery,
    filters: object,
  ): Promise<Page<ContactDto>> {
    const { page, includeTotal } = query;
    const name = `contacts:${which.sort === '-createdAt' ? '-id' : which.sort}`;
    const list = { list: name, filters: { ...filters }, keyOf: ({ place }: { place: ListPlace }) => place };
    const load = async (after: ListPlace | null, limit: number) => {
      const asked = { ...which, after, limit, includeTotal };
      const { contacts: rows, ...totals } = await this.queries.execute(new ListContacts(asked));
      return { rows, ...totals, page };
    };
    return this.pages.page(list, query, load, ({ contact }) => contact);
  }

  private search(
    which: Omit<SearchRequest, 'after' | 'limit'>,
    query: ListContactsQuery,
    filters: object,
  ): Promise<Page<ContactDto>> {
    const { page, includeTotal } = query;
    const keyOf = ({ place }: { place: SearchPlace }) => place;
    const list = { list: 'contacts:-score,-id', filters: { ...filters }, keyOf };
    const load = async (after: SearchPlace | null, limit: number) => {
      const { contacts: rows, ...totals } = await this.queries.execute(
        new SearchContacts({ ...which, after, limit }),
      );
      // The search counts its matches in any case.
      return { rows, ...(includeTotal ? totals : {}), page };
    };
    return this.pages.page(list, query, load, ({ contact }) => contact);
  }
}

function textOf({ q, search, sort }: ListContactsQuery): string | undefined {
  if (q !== undefined && search !== undefined)
    warnOfParameter({
      parameter: 'search',
      code: 'not_applied',
      message: 'is an alias of q; q applies',
    });
  const text = q ?? search;
  if (text !== undefined && sort !== undefined)
    warnOfParameter({
      parameter: 'sort',
      code: 'not_applied',
      message: 'does not apply to a search, which is ordered by score',
    });
  return text;
}

/** An offset reads all contacts before it. */
const MAX_OFFSET = 10_000;

function offsetOf(query: ListContactsQuery): number {
  if (query.page === undefined) return 0;
  const warn = (message: string) => {
    warnOfParameter({ parameter: 'page', code: 'not_applied', message });
    query.page = undefined;
    return 0;
  };
  if (query.cursor !== undefined) return warn('cursor applies; it is ignored');
  const offset = (query.page - 1) * query.limit;
  if (offset < MAX_OFFSET) return offset;
  return warn(
    `only the first ${MAX_OFFSET} contacts have numbered pages; the first page is returned. Continue with cursor`,
  );
}
