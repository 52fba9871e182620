import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Idempotent, type Page, Pages, ParseIdPipe, ReturnsPage } from '#libs/http';
import type { Attribution } from '../../access/attribution.js';
import { ServiceCallers } from '../../access/callers.js';
import { CurrentAttribution } from '../../access/current-access.js';
import { CurrentEmailCaller, type EmailCaller, EmailCallers } from '../shared/email-callers.js';
import { AcceptMessage } from './accept-message.js';
import { EmailDto, EmailWithHistoryDto, ListEmailQuery, ResolveEmailDto } from './dto/message.dto.js';
import { SendEmailDto } from './dto/send-email.dto.js';
import { MessagesStore } from './messages.store.js';

const ID = { name: 'messageId', format: 'uuid', description: 'As the response to the message named it.' };

@ApiTags('Email')
@Controller('api/email/messages')
export class MessagesController {
  constructor(
    private readonly accepting: AcceptMessage,
    private readonly messages: MessagesStore,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'Send a message',
    description:
      'Takes the message into the outbox: from this response on it is not lost. Send an Idempotency-Key, so that a repeat sends nothing twice. Attachments are not supported; link to files instead. 422 `no_sender`, `domain_not_verified` or `no_credential`: nothing was taken.',
  })
  @ApiCreatedResponse({ type: EmailDto, description: 'The message, queued.' })
  @ServiceCallers('email')
  @Idempotent()
  @Post()
  sendEmail(@CurrentAttribution() attribution: Attribution, @Body() body: SendEmailDto): Promise<EmailDto> {
    return this.accepting.accept(attribution, body);
  }

  @ApiOperation({
    summary: 'List messages',
    description:
      'Newest first. Services see their own messages, people with `org.admin` those of all applications.',
  })
  @ReturnsPage(EmailDto)
  @EmailCallers()
  @Get()
  listEmailMessages(
    @CurrentEmailCaller() caller: EmailCaller,
    @Query() query: ListEmailQuery,
  ): Promise<Page<EmailDto>> {
    const { state: states, recipient: address } = query;
    const { organizationId, applicationId } = caller;
    const list = `email:${organizationId}:${applicationId}`;
    const filters = { states: states ?? [], address: address ?? null };
    return this.pages.byId({ list, filters }, query, (after, count) =>
      this.messages.list(caller, { states, address }, after, count),
    );
  }

  @ApiOperation({
    summary: 'Get a message',
    description: 'With the state of each recipient and what happened to it.',
  })
  @ApiOkResponse({ type: EmailWithHistoryDto, description: 'The message.' })
  @ApiParam(ID)
  @EmailCallers()
  @Get(':messageId')
  async getEmailMessage(
    @CurrentEmailCaller() caller: EmailCaller,
    @Param('messageId', ParseIdPipe) id: string,
  ): Promise<EmailWithHistoryDto> {
    const message = await this.messages.find(caller, id);
    return { ...message, history: await this.messages.history(id) };
  }

  @ApiOperation({
    summary: 'Resolve uncertain recipients',
    description:
      'For recipients in the state `uncertain`: the provider may have accepted the message, so it is not repeated blindly. `delivered: false` sends it to them again.',
  })
  @ApiOkResponse({ type: EmailDto, description: 'The message as it is now.' })
  @ApiParam(ID)
  @EmailCallers()
  @Idempotent()
  @HttpCode(200)
  @Post(':messageId/resolve')
  resolveEmailMessage(
    @CurrentEmailCaller() caller: EmailCaller,
    @Param('messageId', ParseIdPipe) id: string,
    @Body() body: ResolveEmailDto,
  ): Promise<EmailDto> {
    return this.messages.resolve(caller, id, body);
  }
}
