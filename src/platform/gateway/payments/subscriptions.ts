import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { Clock } from '#libs/clock';
import type { Attribution } from '../access/attribution.js';
import type {
  CreateInvoicePreviewDto,
  InvoicePreviewDto,
  PreviewItemDto,
  ProrationDto,
  SubscriptionDto,
  UpdatedSubscriptionItemDto,
  UpdateSubscriptionItemDto,
} from './dto/subscriptions.dto.js';
import { OwnedObjects, type Reference } from './objects/owned-objects.js';
import { Operations } from './operations/operations.js';
import { PaymentReads } from './payment-reads.js';
import { PaymentRequestIsNotValid } from './payments.errors.js';
import { instant, previewView, subscriptionView } from './stripe/views.js';

/** Subscriptions, changes of their items, and what a change would cost. */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly operations: Operations,
    private readonly reads: PaymentReads,
    private readonly objects: OwnedObjects,
    private readonly clock: Clock,
  ) {}

  async get(attribution: Attribution, id: string): Promise<SubscriptionDto> {
    return subscriptionView(
      await this.reads.of(attribution, [{ name: 'subscription', id }], (stripe) =>
        stripe.subscriptions.retrieve(id),
      ),
    );
  }

  async updateItem(
    attribution: Attribution,
    {
      id,
      itemId,
      callerKey,
    }: { readonly id: string; readonly itemId: string; readonly callerKey: string | null },
    body: UpdateSubscriptionItemDto,
  ): Promise<UpdatedSubscriptionItemDto> {
    const { quantity, priceId } = body;
    if (quantity === undefined && priceId === undefined)
      throw new PaymentRequestIsNotValid('quantity', 'or priceId must be sent');
    const references = referencesOf(id, priceId === undefined ? [] : [priceId]);
    const params = async () => {
      const item = await this.reads.subscriptionItem(attribution, id, itemId);
      return {
        // The provider sets 1 where a price comes without a quantity.
        quantity: quantity ?? item.quantity ?? 1,
        ...(priceId !== undefined && { price: priceId }),
        ...this.prorationOf(body),
      };
    };
    const result = await this.operations.perform(attribution, {
      kind: 'subscription_item.update',
      target: itemId,
      sent: { id, itemId, ...body },
      callerKey,
      prepare: async () => ({
        credentialId: await this.objects.credentialOf(attribution, references),
        params,
      }),
    });
    return result as UpdatedSubscriptionItemDto;
  }

  async preview(attribution: Attribution, body: CreateInvoicePreviewDto): Promise<InvoicePreviewDto> {
    const { subscriptionId, customerId, items, prorationBehavior } = body;
    if ((subscriptionId === undefined) === (customerId === undefined))
      throw new PaymentRequestIsNotValid('subscriptionId', 'or customerId must be sent, and not both');
    const prices = items.flatMap(({ priceId }) => (priceId === undefined ? [] : [priceId]));
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
    const references = [owner, ...prices.map((id) => ({ name: 'price', id }))] as const;
    const invoice = await this.reads.preview(attribution, references, params);
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

const referencesOf = (subscriptionId: string, prices: readonly string[]) =>
  [{ name: 'subscription', id: subscriptionId }, ...prices.map((id) => ({ name: 'price', id }))] as const;
