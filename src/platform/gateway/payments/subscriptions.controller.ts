import { Body, Controller, Get, Header, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { problemResponses } from '#libs/http';
import type { Attribution } from '../access/attribution.js';
import { ServiceCallers } from '../access/callers.js';
import { CurrentAttribution } from '../access/current-access.js';
import {
  CreateInvoicePreviewDto,
  InvoicePreviewDto,
  SubscriptionDto,
  UpdatedSubscriptionItemDto,
  UpdateSubscriptionItemDto,
} from './dto/subscriptions.dto.js';
import { CallerKey, ChangesPayments } from './operations/caller-key.js';
import { ProviderIdPipe } from './provider-id.pipe.js';
import { Subscriptions } from './subscriptions.js';

@ApiTags('Payments')
@ServiceCallers('payments')
@problemResponses(422, 502)
@Controller('api/payments')
export class SubscriptionsController {
  constructor(private readonly subscriptions: Subscriptions) {}

  @ApiOperation({ summary: 'One subscription', description: 'As the provider has it now.' })
  @ApiOkResponse({ type: SubscriptionDto, description: 'The subscription.' })
  @Header('Cache-Control', 'no-store')
  @Get('subscriptions/:id')
  getSubscription(
    @CurrentAttribution() attribution: Attribution,
    @Param('id', ProviderIdPipe) id: string,
  ): Promise<SubscriptionDto> {
    return this.subscriptions.get(attribution, id);
  }

  @ApiOperation({
    summary: 'Change the quantity or the price of a subscription item',
    description: 'With a stated proration. Another price without a quantity keeps the quantity.',
  })
  @ApiOkResponse({ type: UpdatedSubscriptionItemDto, description: 'The item after the change.' })
  @ChangesPayments()
  @Patch('subscriptions/:id/items/:itemId')
  updateSubscriptionItem(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Param('id', ProviderIdPipe) id: string,
    @Param('itemId', ProviderIdPipe) itemId: string,
    @Body() body: UpdateSubscriptionItemDto,
  ): Promise<UpdatedSubscriptionItemDto> {
    return this.subscriptions.updateItem(attribution, { id, itemId, callerKey }, body);
  }

  @ApiOperation({
    summary: 'Preview an invoice',
    description:
      'What a change of a subscription or a new subscription would cost. Nothing is charged or changed.',
  })
  @ApiOkResponse({ type: InvoicePreviewDto, description: 'The preview.' })
  @HttpCode(200)
  @Post('invoice-previews')
  createInvoicePreview(
    @CurrentAttribution() attribution: Attribution,
    @Body() body: CreateInvoicePreviewDto,
  ): Promise<InvoicePreviewDto> {
    return this.subscriptions.preview(attribution, body);
  }
}
