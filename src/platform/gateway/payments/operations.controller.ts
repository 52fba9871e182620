import { Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Page, Pages, ParseIdPipe, problemResponses, ReturnsPage } from '#libs/http';
import type { Attribution } from '../access/attribution.js';
import { PlatformAdmins, ServiceCallers } from '../access/callers.js';
import { CurrentAttribution } from '../access/current-access.js';
import {
  ListUndeliveredEventsQuery,
  PaymentOperationDto,
  UndeliveredEventDto,
} from './dto/operations.dto.js';
import { OperationsStore } from './operations/operations.store.js';
import { PaymentObjectNotFound } from './payments.errors.js';
import { RelayStore } from './relay/relay.store.js';

@ApiTags('Payments')
@Controller('api/payments')
export class OperationsController {
  constructor(
    private readonly store: OperationsStore,
    private readonly relay: RelayStore,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'One payment operation',
    description: 'What came of a request, for example after `payment_outcome_unknown`. Kept for 30 days.',
  })
  @ApiOkResponse({ type: PaymentOperationDto, description: 'The operation.' })
  @Header('Cache-Control', 'no-store')
  @ServiceCallers('payments')
  @Get('operations/:id')
  async getPaymentOperation(
    @CurrentAttribution() attribution: Attribution,
    @Param('id', ParseIdPipe) id: string,
  ): Promise<PaymentOperationDto> {
    const operation = await this.store.shown(attribution, id);
    if (!operation) throw new PaymentObjectNotFound('operation');
    return operation;
  }

  @ApiOperation({
    summary: 'Undelivered payment events',
    description:
      'Events that their application did not accept within about three days (`state=dead`), or whose object belongs to no known application (`state=unknown`), for example of another system that uses the account. Newest first.',
  })
  @PlatformAdmins()
  @ReturnsPage(UndeliveredEventDto)
  @Get('undelivered-events')
  listUndeliveredEvents(@Query() query: ListUndeliveredEventsQuery): Promise<Page<UndeliveredEventDto>> {
    const { state = 'dead' } = query;
    return this.pages.byId({ list: `undelivered-payment-events:${state}` }, query, (after, count) =>
      this.relay.undelivered(state, after, count),
    );
  }

  @ApiOperation({
    summary: 'Send an undelivered payment event again',
    description: 'One of `state=dead`, with a new series of attempts.',
  })
  @ApiNoContentResponse({ description: 'It is sent again.' })
  @PlatformAdmins()
  @problemResponses(404)
  @HttpCode(204)
  @Post('undelivered-events/:id/resend')
  async resendUndeliveredEvent(@Param('id', ParseIdPipe) id: string): Promise<void> {
    if (!(await this.relay.resend(id))) throw new PaymentObjectNotFound('undelivered event');
  }
}
