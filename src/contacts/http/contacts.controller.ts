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
  type CursorKey,
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
import {
  ChangeContact,
  erase as eraseContact,
  remove,
  restore,
  update,
} from '../commands/change-contacts.js';
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
import { type ContactsFound, ListContacts, type ListPlace } from '../queries/list-contacts.js';
import { SearchContacts, type SearchPlace } from '../queries/search-contacts.js';
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
    const { organizationId, deleted, sort = '-createdAt', includeTotal } = query;
    const organizationIds = organizationsFor(caller, 'contacts.read', organizationId);
    const selection = { organizationIds, deleted, offset: offsetOf(query) };
    const { page } = query;
    const order = text === undefined ? (sort === '-createdAt' ? '-id' : sort) : '-score,-id';
    const list = {
      list: `contacts:${order}`,
      filters: { text, organizationId, deleted },
      keyOf: ({ place }: { place: CursorKey }) => place,
    };
    const load = async (after: CursorKey | null, limit: number) => {
      const { contacts: rows, ...totals } = await this.queries.execute<ContactsFound>(
        text === undefined
          ? new ListContacts({ ...selection, sort, after: after as ListPlace | null, limit, includeTotal })
          : new SearchContacts({ ...selection, text, after: after as SearchPlace | null, limit }),
      );
      // The search counts its matches in any case.
      return { rows, ...(includeTotal ? totals : {}), page };
    };
    return this.pages.page(list, query, load, ({ contact }) => contact);
  }

  @Post()
  @RequiresScopes('contacts.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
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
    const decision = update(body);
    return this.commands.execute(new ChangeContact({ contactId: id, caller, ifVersion, decision }));
  }

  @Delete(':id')
  @RequiresScopes('contacts.write')
  @ApiOperation({
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
    const decision = erase ? eraseContact(caller) : remove;
    const change = { contactId: id, caller, ifVersion, includeDeleted: erase, decision };
    await this.commands.execute(new ChangeContact(change));
    return { id, deleted: true, erased: erase };
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequiresScopes('contacts.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
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
    const change = { contactId: id, caller, ifVersion, includeDeleted: true, decision: restore };
    return this.commands.execute(new ChangeContact(change));
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
