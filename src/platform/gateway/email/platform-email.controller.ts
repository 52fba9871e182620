import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import { Idempotent, type Page, Pages, ParseIdPipe, problemResponses, ReturnsPage } from '#libs/http';
import { actorOfCaller } from '../audit/gateway-audit.js';
import { PlatformAdmins } from '../access/callers.js';
import { mailboxOf } from './shared/addresses.js';
import { AddDomainDto, AddSenderDto, EmailDomainDto, EmailSenderDto } from './senders/senders.dto.js';
import { DomainsStore } from './senders/domains.store.js';
import { SendersStore } from './senders/senders.store.js';
import { Suppressions } from './suppressions/suppressions.js';
import { ListSuppressionsQuery, SuppressionDto } from './suppressions/suppression.dto.js';
import { SaveTemplateDto, TemplateDto } from './templates/template.dto.js';
import { TemplatesStore } from './templates/templates.store.js';
import {
  SuppressionNotFound,
  SenderNotFound,
  DomainNotFound,
  SenderExists,
  DomainBelongsToAnother,
} from './email.errors.js';

const ID = { name: 'id', format: 'uuid', description: 'As the list names it.' };

/** What belongs to the platform: every organization sends from it. `GET /api/email/…` lists it for organizations. */
@ApiTags('Email of the platform')
@PlatformAdmins()
@problemResponses(400)
@Controller('api/platform/email')
export class PlatformEmailController {
  constructor(
    private readonly domains: DomainsStore,
    private readonly senders: SendersStore,
    private readonly suppressions: Suppressions,
    private readonly templates: TemplatesStore,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'Add a domain of the platform',
    description: 'As for organizations: create the TXT record, then verify it.',
  })
  @ApiCreatedResponse({ type: EmailDomainDto, description: 'The domain, not verified yet.' })
  @Idempotent()
  @Post('domains')
  async addPlatformEmailDomain(
    @CurrentCaller() caller: Caller,
    @Body() body: AddDomainDto,
  ): Promise<EmailDomainDto> {
    return EmailDomainDto.of(await this.domains.add(ownerOf(caller), body));
  }

  @ApiOperation({
    summary: 'Verify a domain of the platform',
    description:
      '`checkResult` says what is missing. The domain of EMAIL_PLATFORM_SENDER needs no proof and stays verified.',
  })
  @ApiOkResponse({ type: EmailDomainDto, description: 'The domain after the check.' })
  @ApiParam(ID)
  @problemResponses(DomainNotFound, DomainBelongsToAnother)
  @HttpCode(200)
  @Post('domains/:id/verify')
  async verifyPlatformEmailDomain(
    @CurrentCaller() caller: Caller,
    @Param('id', ParseIdPipe) id: string,
  ): Promise<EmailDomainDto> {
    return EmailDomainDto.of(await this.domains.verify(ownerOf(caller), id));
  }

  @ApiOperation({ summary: 'Delete a domain of the platform', description: 'With its sender identities.' })
  @ApiNoContentResponse({ description: 'The domain is deleted.' })
  @ApiParam(ID)
  @problemResponses(DomainNotFound)
  @HttpCode(204)
  @Delete('domains/:id')
  deletePlatformEmailDomain(
    @CurrentCaller() caller: Caller,
    @Param('id', ParseIdPipe) id: string,
  ): Promise<void> {
    return this.domains.remove(ownerOf(caller), id);
  }

  @ApiOperation({
    summary: 'Add a sender identity of the platform',
    description:
      'Every organization can send from it. Where an operator has set EMAIL_PLATFORM_SENDER, that one is the default again after a start.',
  })
  @ApiCreatedResponse({ type: EmailSenderDto, description: 'The sender identity.' })
  @problemResponses(DomainNotFound, SenderExists)
  @Idempotent()
  @Post('senders')
  addPlatformEmailSender(
    @CurrentCaller() caller: Caller,
    @Body() body: AddSenderDto,
  ): Promise<EmailSenderDto> {
    return this.senders.add(ownerOf(caller), body);
  }

  @ApiOperation({
    summary: 'Delete a sender identity of the platform',
    description: 'Accepted messages are still sent.',
  })
  @ApiNoContentResponse({ description: 'The sender identity is deleted.' })
  @ApiParam(ID)
  @problemResponses(SenderNotFound)
  @HttpCode(204)
  @Delete('senders/:id')
  deletePlatformEmailSender(
    @CurrentCaller() caller: Caller,
    @Param('id', ParseIdPipe) id: string,
  ): Promise<void> {
    return this.senders.remove(ownerOf(caller), id);
  }

  @ApiOperation({
    summary: 'Save a template of the platform',
    description: 'Adds a version, usable by every organization.',
  })
  @ApiCreatedResponse({ type: TemplateDto, description: 'The new version.' })
  @Idempotent()
  @Post('templates')
  savePlatformEmailTemplate(
    @CurrentCaller() caller: Caller,
    @Body() body: SaveTemplateDto,
  ): Promise<TemplateDto> {
    return this.templates.save(null, actorOfCaller(caller), body);
  }

  @ApiOperation({
    summary: 'List addresses suppressed for the platform',
    description:
      "Mailboxes that do not exist, found by messages with the platform's credentials. Newest first.",
  })
  @ReturnsPage(SuppressionDto)
  @Get('suppressions')
  listPlatformEmailSuppressions(@Query() query: ListSuppressionsQuery): Promise<Page<SuppressionDto>> {
    const address = query.address === undefined ? null : mailboxOf(query.address);
    return this.pages.byId({ list: 'email-suppressions', filters: { address } }, query, (after, count) =>
      this.suppressions.list(null, after, count, address),
    );
  }

  @ApiOperation({
    summary: 'Remove a suppression of the platform',
    description: 'Organizations keep their own ones.',
  })
  @ApiNoContentResponse({ description: 'It is removed.' })
  @ApiParam(ID)
  @problemResponses(SuppressionNotFound)
  @HttpCode(204)
  @Delete('suppressions/:id')
  removePlatformEmailSuppression(
    @CurrentCaller() caller: Caller,
    @Param('id', ParseIdPipe) id: string,
  ): Promise<void> {
    return this.suppressions.remove(null, actorOfCaller(caller), id);
  }
}

const ownerOf = (caller: Caller) => ({ organizationId: null, actor: actorOfCaller(caller) });
