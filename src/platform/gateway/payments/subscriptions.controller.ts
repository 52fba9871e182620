import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Header, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type Stripe from 'stripe';
import { Clock } from '#libs/clock';
import { problemResponses } from '#libs/http';
import type { Attribution } from '../access/attribution.js';
import { ServiceCallers } from '../access/callers.js';
import { CurrentAttribution } from '../access/current-access.js';
import { CallerKey, ChangesPayments, ProviderIdPipe } from './dto/shared.js';
import {
  CreateInvoicePreviewDto,
  InvoicePreviewDto,
  type PreviewItemDto,
  type ProrationDto,
  SubscriptionDto,
  UpdatedSubscriptionItemDto,
  UpdateSubscriptionItemDto,
} from './dto/subscriptions.dto.js';
import type { Reference } from './stripe/owned-objects.js';
import { Operations } from './operations/operations.js';
import { PaymentReads } from './payment-reads.js';
import { PaymentRequestIsNotValid } from './payments.errors.js';
import { instant, previewView, subscriptionView } from './stripe/views.js';

@ApiTags('Payments')
@ServiceCallers('payments')
@problemResponses(422, 502)
@Controller('api/payments')
export class SubscriptionsController {
  constructor(
    private readonly operations: Operations,
    private readonly reads: PaymentReads,
    private readonly clock: Clock,
  ) {}

  @ApiOperation({ summary: 'One subscription', description: 'As the provider has it now.' })
  @ApiOkResponse({ type: SubscriptionDto, description: 'The subscription.' })
  @Header('Cache-Control', 'no-store')
  @Get('subscriptions/:id')
  async getSubscription(
    @CurrentAttribution() attribution: Attribution,
    @Param('id', ProviderIdPipe) id: string,
  ): Promise<SubscriptionDto> {
    const reference = { name: 'subscription', id };
    return subscriptionView(
      await this.reads.of(attribution, [reference], (stripe) => stripe.subscriptions.retrieve(id)),
    );
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
    const { quantity, priceId } = body;
    if (quantity === undefined && priceId === undefined)
      throw new PaymentRequestIsNotValid('quantity', 'or priceId must be sent');
    return this.operations.perform(attribution, {
      kind: 'subscription_item.update',
      target: itemId,
      sent: { id, itemId, ...body },
      callerKey,
      references: [{ name: 'subscription', id }, ...pricesIn([body])],
      params: async () => {
        const item = await this.reads.subscriptionItem(attribution, id, itemId);
        return {
          // The provider sets 1 where a price comes without a quantity.
          quantity: quantity ?? item.quantity ?? 1,
          ...(priceId !== undefined && { price: priceId }),
          ...this.prorationOf(body),
        };
      },
    });
  }

  @ApiOperation({
    summary: 'Preview an invoice',
    description:
      'What a change of a subscription or a new subscription would cost. Nothing is charged or changed.',
  })
  @ApiOkResponse({ type: InvoicePreviewDto, description: 'The preview.' })
  @HttpCode(200)
  @Post('invoice-previews')
  async createInvoicePreview(
    @CurrentAttribution() attribution: Attribution,
    @Body() body: CreateInvoicePreviewDto,
  ): Promise<InvoicePreviewDto> {
    const { subscriptionId, customerId, items, prorationBehavior } = body;
    if ((subscriptionId === undefined) === (customerId === undefined))
      throw new PaymentRequestIsNotValid('subscriptionId', 'or customerId must be sent, and not both');
    const owner: Reference =
      subscriptionId === undefined
        ? { name: 'customer', id: customerId ?? '' }
        : { name: 'subscription', id: subscriptionId };
    const proration = this.prorationOf(body);
    const params = {
      ...(subscriptionId === undefined ? { customer: customerId } : { subscription: subscriptionId }),
      subscription_details: {
        items: await this.itemsOf(attribution, subscriptionId, items),
        ...(subscriptionId === undefined ? {} : proration),
      },
    };
    const references = [owner, ...pricesIn(items)] as const;
    // A preview changes nothing, so that each has a key of its own.
    const options = { idempotencyKey: `preview-${randomUUID()}` };
    const invoice = await this.reads.of(attribution, references, (stripe) =>
      stripe.invoices.createPreview(params, options),
    );
    const date = proration.proration_date;
    return {
      ...previewView(invoice),
      prorationBehavior,
      prorationDate: date === undefined ? null : instant(date),
    };
  }

  private itemsOf(
    attribution: Attribution,
    subscriptionId: string | undefined,
    items: readonly PreviewItemDto[],
  ): Promise<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.Item[]> {
    return Promise.all(
      items.map(async ({ itemId, priceId, quantity }, index) => {
        if (subscriptionId === undefined) {
          if (priceId === undefined || itemId !== undefined)
            throw new PaymentRequestIsNotValid(`items/${index}`, 'must have a priceId and no itemId');
          return { price: priceId, quantity: quantity ?? 1 };
        }
        if (itemId === undefined) throw new PaymentRequestIsNotValid(`items/${index}`, 'must have an itemId');
        const item = await this.reads.subscriptionItem(attribution, subscriptionId, itemId);
        return { id: itemId, quantity: quantity ?? item.quantity ?? 1, ...(priceId && { price: priceId }) };
      }),
    );
  }

  /** The date is always stated, so that a preview and its update are about the same moment. */
  private prorationOf({ prorationBehavior, prorationDate }: ProrationDto) {
    if (prorationBehavior === 'none') return { proration_behavior: prorationBehavior };
    const at = prorationDate === undefined ? this.clock.now() : new Date(prorationDate);
    return { proration_behavior: prorationBehavior, proration_date: Math.floor(at.getTime() / 1000) };
  }
}

const pricesIn = (items: readonly { readonly priceId?: string }[]): Reference[] =>
  items.flatMap(({ priceId: id }) => (id === undefined ? [] : [{ name: 'price', id }]));
