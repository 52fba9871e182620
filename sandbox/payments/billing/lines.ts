import { newId } from '../state/ids.js';
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../state/objects.js';
import { type Period, remainingAmount } from './proration.js';

interface Line {
  readonly amount: number;
  readonly description: string;
  readonly quantity: number;
  readonly price: Price;
  readonly period: Period;
  readonly subscription: string | null;
  readonly item: string | null;
  readonly proration: boolean;
}

/** One period of a price. */
export const periodLine = (
  price: Price,
  quantity: number,
  period: Period,
  owner: { readonly subscription: string | null; readonly item: string | null },
): InvoiceLine =>
  line({
    ...owner,
    amount: price.unit_amount * quantity,
    description: `${quantity} × ${price.nickname ?? price.product}`,
    quantity,
    price,
    period,
    proration: false,
  });

/** What a change of an item within its period costs: the unused time of the former one back, and the rest of the new one. */
export function prorationLines(
  { id: subscription }: Subscription,
  item: SubscriptionItem,
  changed: { readonly price: Price; readonly quantity: number },
  at: number,
): InvoiceLine[] {
  const period = { start: item.current_period_start, end: item.current_period_end };
  const rest = (price: Price, quantity: number): number =>
    remainingAmount({ unitAmount: price.unit_amount, quantity }, period, at);
  const shared = { subscription, item: item.id, period: { start: at, end: period.end }, proration: true };
  return [
    line({
      ...shared,
      price: item.price,
      quantity: item.quantity,
      amount: 0 - rest(item.price, item.quantity),
      description: `Unused time on ${item.quantity} × ${item.price.nickname ?? item.price.product}`,
    }),
    line({
      ...shared,
      ...changed,
      amount: rest(changed.price, changed.quantity),
      description: `Remaining time on ${changed.quantity} × ${changed.price.nickname ?? changed.price.product}`,
    }),
  ];
}

function line({ price, subscription, item, proration, ...rest }: Line): InvoiceLine {
  return {
    id: newId('il'),
    object: 'line_item',
    ...rest,
    currency: price.currency,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { subscription, subscription_item: item, proration },
    },
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: price.product },
      unit_amount_decimal: price.unit_amount_decimal,
    },
  };
}
