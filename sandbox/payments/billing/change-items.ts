import {
  type InvoiceLine,
  itemsOf,
  newLine,
  type Subscription,
  type SubscriptionItem,
} from '../state/billed.js';
import type { Price } from '../state/objects.js';
import type { AccountCall, ApiCall } from '../state/payments.js';
import type { Params } from '../wire/params.js';
import { invalid } from '../wire/problems.js';
import { invoiceOf, periodOf, remainingAmount } from './subscribe.js';

const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const;

export interface ItemChange {
  readonly item: SubscriptionItem;
  readonly price: Price;
  readonly quantity: number;
}

export interface Prorated {
  readonly behavior: (typeof PRORATIONS)[number];
  readonly at: number;
}

export const proratedIn = ({ now }: ApiCall, params: Params): Prorated => ({
  behavior: params.choice('proration_behavior', PRORATIONS) ?? 'create_prorations',
  at: params.integer('proration_date') ?? now,
});

/** What changes cost. A date outside of the current period is refused, and so is one in the future in an update. */
export function prorationsOf(
  { id: subscription }: Subscription,
  changes: readonly ItemChange[],
  { behavior, at }: Prorated,
): InvoiceLine[] {
  if (changes.some(({ item }) => at < item.current_period_start || at > item.current_period_end))
    throw invalid(
      'Cannot specify `proration_date` outside of current billing period.',
      'proration_date',
      'invalid_proration_date',
    );
  if (behavior === 'none') return [];
  return changes
    .filter(({ item, price, quantity }) => price.id !== item.price.id || quantity !== item.quantity)
    .flatMap((change) => prorationLines(subscription, change, at));
}

/** The unused time of the former price and quantity back, and the rest of the new ones. */
function prorationLines(subscription: string, { item, ...changed }: ItemChange, at: number): InvoiceLine[] {
  const period = periodOf(item);
  const line = (label: string, sign: 1 | -1, { price, quantity }: Pick<ItemChange, 'price' | 'quantity'>) =>
    newLine(
      { subscription, item: item.id },
      price,
      quantity,
      { start: at, end: period.end },
      {
        amount: 0 + sign * remainingAmount({ unitAmount: price.unit_amount, quantity }, period, at),
        label: `${label} on `,
        proration: true,
      },
    );
  return [line('Unused time', -1, item), line('Remaining time', 1, changed)];
}

/** Applies changes of items; prorations wait for the next invoice, are charged at once, or are left out. */
export function changeItems(
  caused: AccountCall,
  subscription: Subscription,
  changes: readonly ItemChange[],
  prorated: Prorated,
): Subscription {
  const latest = bill(caused, subscription, prorationsOf(subscription, changes, prorated), prorated);
  const data = subscription.items.data.map((item) => {
    const change = changes.find(({ item: { id } }) => id === item.id);
    return change ? { ...item, price: change.price, quantity: change.quantity } : item;
  });
  return update(caused, subscription, {
    ...subscription,
    latest_invoice: latest ?? subscription.latest_invoice,
    items: itemsOf(subscription.id, data),
  });
}

/** Stores a changed subscription, counts the effect and emits the event. */
export function update(
  caused: AccountCall,
  { items, cancel_at_period_end }: Subscription,
  changed: Subscription,
): Subscription {
  const text = changed.items.data.map(({ quantity }) => quantity).join('+');
  caused.store(caused.tables.subscriptions, changed, 'subscription_updated', { text });
  caused.emit('customer.subscription.updated', changed, { items, cancel_at_period_end });
  return changed;
}

function bill(
  caused: AccountCall,
  subscription: Subscription,
  lines: readonly InvoiceLine[],
  { behavior }: Prorated,
): string | null {
  if (lines.length === 0) return null;
  if (behavior === 'always_invoice') return invoiceOf(caused, subscription, lines, 'subscription_update').id;
  const { pending } = caused.tables;
  const waiting = caused.of(pending, subscription.id)?.lines ?? [];
  caused.put(pending, { id: subscription.id, lines: [...waiting, ...lines] });
  return null;
}
