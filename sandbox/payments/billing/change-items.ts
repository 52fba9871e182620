import type { Call } from '../../wire/call.js';
import type { Caused, Payments } from '../payments.js';
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../state/objects.js';
import type { Params } from '../wire/params.js';
import { invalid } from '../wire/problems.js';
import { invoiceOf, payInvoice } from './invoice.js';
import { prorationLines } from './lines.js';
import { withItems } from './subscribe.js';

export const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const;
export type Proration = (typeof PRORATIONS)[number];

export interface ItemChange {
  readonly item: SubscriptionItem;
  readonly price: Price;
  readonly quantity: number;
}

export interface Prorated {
  readonly behavior: Proration;
  readonly at: number;
}

export function proratedIn(payments: Payments, params: Params): Prorated {
  return {
    behavior: params.choice('proration_behavior', PRORATIONS) ?? 'create_prorations',
    at: params.integer('proration_date') ?? payments.now,
  };
}

/** A date outside the current period is refused, and so is one in the future in an update. */
export function mustBeInPeriod({ at }: Prorated, changes: readonly ItemChange[]): void {
  for (const { item } of changes) {
    if (at < item.current_period_start || at > item.current_period_end)
      throw invalid(
        'Cannot specify `proration_date` outside of current billing period.',
        'proration_date',
        'invalid_proration_date',
      );
  }
}

export const linesOf = (
  subscription: Subscription,
  changes: readonly ItemChange[],
  at: number,
): InvoiceLine[] =>
  changes
    .filter(({ item, price, quantity }) => price.id !== item.price.id || quantity !== item.quantity)
    .flatMap(({ item, ...changed }) => prorationLines(subscription, item, changed, at));

/** Applies changes of items; prorations wait for the next invoice, are charged at once, or are left out. */
export function changeItems(
  payments: Payments,
  caused: Caused,
  call: Call,
  subscription: Subscription,
  changes: readonly ItemChange[],
  prorated: Prorated,
): Subscription {
  mustBeInPeriod(prorated, changes);
  const lines = prorated.behavior === 'none' ? [] : linesOf(subscription, changes, prorated.at);
  const latest = bill(payments, caused, call, subscription, lines, prorated);
  const data = subscription.items.data.map((item) => {
    const change = changes.find(({ item: { id } }) => id === item.id);
    return change ? { ...item, price: change.price, quantity: change.quantity } : item;
  });
  const changed = {
    ...subscription,
    latest_invoice: latest ?? subscription.latest_invoice,
    items: withItems(subscription.id, data),
  };
  return update(payments, caused, call, subscription, changed);
}

/** Stores a changed subscription, counts the effect and emits the event. */
export function update(
  payments: Payments,
  caused: Caused,
  call: Call,
  former: Subscription,
  changed: Subscription,
): Subscription {
  const quantities = changed.items.data.map(({ quantity }) => quantity).join('+');
  const { line } = payments.effect(call, caused.account, 'subscription_updated', changed.id, quantities);
  payments.subscriptions.put(caused.account.id, changed, line);
  const { items, cancel_at_period_end } = former;
  payments.emit(caused, 'customer.subscription.updated', changed, { items, cancel_at_period_end });
  return changed;
}

function bill(
  payments: Payments,
  caused: Caused,
  call: Call,
  subscription: Subscription,
  lines: readonly InvoiceLine[],
  { behavior }: Prorated,
): string | null {
  if (lines.length === 0) return null;
  const account = caused.account.id;
  const waiting = payments.pending.of(account, subscription.id)?.lines ?? [];
  if (behavior !== 'always_invoice') {
    payments.pending.put(account, { id: subscription.id, lines: [...waiting, ...lines] });
    return null;
  }
  const { customer, currency } = subscription;
  const reason = 'subscription_update';
  const draft = { customer, currency, lines, reason, now: payments.now, subscription };
  return payInvoice(payments, caused, call, invoiceOf(draft)).id;
}
