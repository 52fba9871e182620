import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Idempotent, type Page, Pages, ParseIdPipe, ReturnsPage } from '#libs/http';
import { mailboxOf } from '../shared/addresses.js';
import { CurrentEmailCaller, type EmailCaller, EmailCallers } from '../shared/email-callers.js';
import { Suppressions } from './suppressions.js';
import { AddSuppressionDto, ListSuppressionsQuery, SuppressionDto } from './suppression.dto.js';

@ApiTags('Email')
@EmailCallers()
@Controller('api/email/suppressions')
export class SuppressionsController {
  constructor(
    private readonly suppressions: Suppressions,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'List suppressed addresses',
    description:
      'Addresses that get no messages of the organization: after a permanent bounce, a complaint, or by hand. Newest first. Addresses that are suppressed for the whole platform are not listed.',
  })
  @ReturnsPage(SuppressionDto)
  @Get()
  listEmailSuppressions(
    @CurrentEmailCaller() { organizationId }: EmailCaller,
    @Query() query: ListSuppressionsQuery,
  ): Promise<Page<SuppressionDto>> {
    const address = query.address === undefined ? null : mailboxOf(query.address);
    const scope = { list: `email-suppressions:${organizationId}`, filters: { address } };
    return this.pages.byId(scope, query, (after, count) =>
      this.suppressions.list(organizationId, after, count, address),
    );
  }

  @ApiOperation({ summary: 'Suppress an address', description: 'Repeating it changes nothing.' })
  @ApiCreatedResponse({ type: SuppressionDto, description: 'The suppression.' })
  @Idempotent()
  @Post()
  addEmailSuppression(
    @CurrentEmailCaller() { organizationId, actor }: EmailCaller,
    @Body() { address }: AddSuppressionDto,
  ): Promise<SuppressionDto> {
    return this.suppressions.add(organizationId, actor, address);
  }

  @ApiOperation({
    summary: 'Remove a suppression',
    description: 'The address gets messages again, unless it is suppressed for the whole platform.',
  })
  @ApiNoContentResponse({ description: 'It is removed.' })
  @ApiParam({ name: 'suppressionId', format: 'uuid', description: 'As the list names it.' })
  @HttpCode(204)
  @Delete(':suppressionId')
  removeEmailSuppression(
    @CurrentEmailCaller() { organizationId, actor }: EmailCaller,
    @Param('suppressionId', ParseIdPipe) id: string,
  ): Promise<void> {
    return this.suppressions.remove(organizationId, actor, id);
  }
}
