import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import {
  Idempotent,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsPage,
} from '#libs/http';
import { OrganizationCallers } from '../../access/callers.js';
import { CurrentEmailCaller, type EmailCaller, EmailCallers } from '../shared/email-callers.js';
import { DomainsStore } from './domains.store.js';
import {
  AddDomainDto,
  AddSenderDto,
  EmailConnectionDto,
  EmailDomainDto,
  EmailSenderDto,
} from './senders.dto.js';
import { SendersStore } from './senders.store.js';

const ADMINISTER = 'org.admin';
const DOMAIN_ID = { name: 'domainId', format: 'uuid', description: 'As the list names it.' };
const SENDER_ID = { name: 'senderId', format: 'uuid', description: 'As the list names it.' };

@ApiTags('Email')
@Controller('api/email')
export class SendersController {
  constructor(
    private readonly domains: DomainsStore,
    private readonly senders: SendersStore,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'List connections to mail providers',
    description:
      'Credentials of the organization for mail providers, without their secrets, and the domains that they send for. Without one, mail is sent with the credentials of the platform.',
  })
  @ReturnsPage(EmailConnectionDto)
  @EmailCallers()
  @Get('connections')
  listEmailConnections(
    @CurrentEmailCaller() { organizationId }: EmailCaller,
    @Query() query: ListQuery,
  ): Promise<Page<EmailConnectionDto>> {
    return this.pages.byId({ list: `email-connections:${organizationId}` }, query, (after, count) =>
      this.domains.connections(organizationId, after, count),
    );
  }

  @ApiOperation({
    summary: 'List sender domains',
    description:
      'Domains of the organization, and those of the platform, which every organization can send from.',
  })
  @ReturnsPage(EmailDomainDto)
  @EmailCallers()
  @Get('domains')
  listEmailDomains(
    @CurrentEmailCaller() { organizationId }: EmailCaller,
    @Query() query: ListQuery,
  ): Promise<Page<EmailDomainDto>> {
    const rows = (after: string | null, count: number) => this.domains.list(organizationId, after, count);
    return this.pages.byId({ list: `email-domains:${organizationId}` }, query, rows, (row) =>
      EmailDomainDto.of(row, row.organizationId === organizationId),
    );
  }

  @ApiOperation({
    summary: 'Add a sender domain',
    description: 'It sends after it is verified: create the TXT record of the response, then verify it.',
  })
  @ApiCreatedResponse({ type: EmailDomainDto, description: 'The domain, not verified yet.' })
  @OrganizationCallers(ADMINISTER)
  @Idempotent()
  @Post('domains')
  async addEmailDomain(
    @CurrentEmailCaller() owner: EmailCaller,
    @Body() body: AddDomainDto,
  ): Promise<EmailDomainDto> {
    return EmailDomainDto.of(await this.domains.add(owner, body));
  }

  @ApiOperation({
    summary: 'Verify a sender domain',
    description:
      'Reads the TXT record, and for Resend the state of the domain there. `checkResult` says what is missing. 409 `domain_taken`: another organization has verified it.',
  })
  @ApiOkResponse({ type: EmailDomainDto, description: 'The domain after the check.' })
  @ApiParam(DOMAIN_ID)
  @OrganizationCallers(ADMINISTER)
  @problemResponses(409)
  @HttpCode(200)
  @Post('domains/:domainId/verify')
  async verifyEmailDomain(
    @CurrentEmailCaller() owner: EmailCaller,
    @Param('domainId', ParseIdPipe) id: string,
  ): Promise<EmailDomainDto> {
    return EmailDomainDto.of(await this.domains.verify(owner, id));
  }

  @ApiOperation({ summary: 'Delete a sender domain', description: 'With its sender identities.' })
  @ApiNoContentResponse({ description: 'The domain is deleted.' })
  @ApiParam(DOMAIN_ID)
  @OrganizationCallers(ADMINISTER)
  @HttpCode(204)
  @Delete('domains/:domainId')
  deleteEmailDomain(
    @CurrentEmailCaller() owner: EmailCaller,
    @Param('domainId', ParseIdPipe) id: string,
  ): Promise<void> {
    return this.domains.remove(owner, id);
  }

  @ApiOperation({
    summary: 'List sender identities',
    description: 'Of the organization and of the platform. Every service can use them by their id.',
  })
  @ReturnsPage(EmailSenderDto)
  @EmailCallers()
  @Get('senders')
  listEmailSenders(
    @CurrentEmailCaller() { organizationId }: EmailCaller,
    @Query() query: ListQuery,
  ): Promise<Page<EmailSenderDto>> {
    return this.pages.byId({ list: `email-senders:${organizationId}` }, query, (after, count) =>
      this.senders.list(organizationId, after, count),
    );
  }

  @ApiOperation({
    summary: 'Add a sender identity',
    description: 'A name and an address of a domain of the organization.',
  })
  @ApiCreatedResponse({ type: EmailSenderDto, description: 'The sender identity.' })
  @OrganizationCallers(ADMINISTER)
  @Idempotent()
  @Post('senders')
  addEmailSender(
    @CurrentEmailCaller() owner: EmailCaller,
    @Body() body: AddSenderDto,
  ): Promise<EmailSenderDto> {
    return this.senders.add(owner, body);
  }

  @ApiOperation({
    summary: 'Delete a sender identity',
    description: 'Messages that were accepted before are still sent.',
  })
  @ApiNoContentResponse({ description: 'The sender identity is deleted.' })
  @ApiParam(SENDER_ID)
  @OrganizationCallers(ADMINISTER)
  @HttpCode(204)
  @Delete('senders/:senderId')
  deleteEmailSender(
    @CurrentEmailCaller() owner: EmailCaller,
    @Param('senderId', ParseIdPipe) id: string,
  ): Promise<void> {
    return this.senders.remove(owner, id);
  }
}
