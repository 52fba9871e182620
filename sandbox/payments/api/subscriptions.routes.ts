import { changeItems, type ItemChange, proratedIn, prorationsOf, update } from '../billing/change-items.js';
import { periodEnd, periodLine, periodOf, subscribe } from '../billing/subscribe.js';
import { type InvoiceLine, newInvoice, type Subscription, type SubscriptionItem } from '../state/billed.js';
import type { Price } from '../state/objects.js';
import type { ApiCall, Outcome, Payments } from '../state/payments.js';
import type { Params } from '../wire/params.js';
import { cardDeclined, invalid, missingParam, noSuch, PaymentProblem } from '../wire/problems.js';
import { type Handlers, listed } from './api-route.js';
import { customerOf } from './catalog.routes.js';

export const subscriptionHandlers = ({ tables: { subscriptions, invoices } }: Payments): Handlers => ({
  'POST /subscriptions': create,
  'GET /subscriptions': (call) => listed(call, subscriptions, 'customer'),
  'GET /subscriptions/:id': (call) => ({ value: theSubscription(call) }),
  'POST /subscriptions/:id': change,
  'DELETE /subscriptions/:id': cancel,
  'GET /subscription_items/:id': (call) => ({ value: theItem(call).item }),
  'POST /subscription_items/:id': changeItem,
  'POST /invoices/create_preview': preview,
  'GET /invoices': (call) => listed(call, invoices, 'customer'),
  'GET /invoices/:id': (call) => ({ value: call.the(invoices, call.id, 'invoice', 'invoice', 404) }),
});

/** Without a card on file nothing can be charged. */
function create(call: ApiCall): Outcome {
  const { params } = call;
  const customer = customerOf(call, params.requiredText('customer'));
  const items = params.children('items').map((item) => {
    const price = recurringPrice(call, item.requiredText('price'), item.nameOf('price'));
    const quantity = item.integer('quantity') ?? 1;
    item.done();
    return { price, quantity };
  });
  const metadata = params.metadata();
  params.done();
  if (items.length === 0) throw missingParam('items');
  if (customer.default_source === null) throw cardDeclined();
  return { value: subscribe(call, { customer: customer.id, items, metadata }) };
}

function change(call: ApiCall): Outcome {
  const { params } = call;
  const subscription = mustBeLive(theSubscription(call));
  const items = params.children('items').map((item) => changeIn(call, subscription, item));
  const prorated = proratedIn(call, params);
  const isEnding = params.flag('cancel_at_period_end') ?? subscription.cancel_at_period_end;
  const metadata = params.metadata(subscription.metadata);
  params.done();
  const changed = items.length === 0 ? subscription : changeItems(call, subscription, items, prorated);
  return { value: update(call, changed, { ...ending(changed, isEnding), metadata }) };
}

export function ending(subscription: Subscription, isEnding: boolean): Subscription {
  const end = subscription.items.data[0]?.current_period_end ?? null;
  return { ...subscription, cancel_at_period_end: isEnding, cancel_at: isEnding ? end : null };
}

function changeIn(call: ApiCall, { items }: Subscription, params: Params): ItemChange {
  const id = params.requiredText('id');
  const item = items.data.find((each) => each.id === id);
  if (!item) throw noSuch('subscription item', id, params.nameOf('id'));
  const changed = changeOf(call, item, params);
  params.done();
  return changed;
}

/** A new price without a quantity sets the quantity to 1, as the provider does. */
function changeOf(call: ApiCall, item: SubscriptionItem, params: Params): ItemChange {
  const given = params.text('price');
  const price = given === undefined ? item.price : recurringPrice(call, given, params.nameOf('price'));
  const isOther = price.id !== item.price.id;
  return { item, price, quantity: params.integer('quantity') ?? (isOther ? 1 : item.quantity) };
}

function changeItem(call: ApiCall): Outcome {
  const { params } = call;
  const { item, subscription } = theItem(call);
  mustBeLive(subscription);
  const changed = changeOf(call, item, params);
  const prorated = proratedIn(call, params);
  params.done();
  const { items } = changeItems(call, subscription, [changed], prorated);
  return { value: items.data.find(({ id }) => id === item.id) ?? item };
}

function cancel(call: ApiCall): Outcome {
  const { now, tables } = call;
  const subscription = mustBeLive(theSubscription(call));
  const ended: Subscription = { ...subscription, status: 'canceled', canceled_at: now, ended_at: now };
  tables.pending.discard(ended.id);
  const event = 'customer.subscription.deleted';
  return call.store(tables.subscriptions, ended, 'subscription_canceled', { event });
}

function recurringPrice(call: ApiCall, id: string, param: string): Price {
  const price = call.the(call.tables.prices, id, 'price', param);
  if (!price.recurring) throw invalid('The price must be recurring.', param);
  return price;
}

const theSubscription = (call: ApiCall): Subscription =>
  call.the(call.tables.subscriptions, call.id, 'subscription', 'id', 404);

function theItem({ id, account, tables }: ApiCall): {
  readonly item: SubscriptionItem;
  readonly subscription: Subscription;
} {
  for (const subscription of tables.subscriptions.allOf(account.id)) {
    const item = subscription.items.data.find((each) => each.id === id);
    if (item) return { item, subscription };
  }
  throw noSuch('subscription_item', id, 'item', 404);
}

function mustBeLive(subscription: Subscription): Subscription {
  if (subscription.status === 'canceled')
    throw new PaymentProblem(
      400,
      'invalid_request_error',
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  return subscription;
}

/** What would be invoiced next. Nothing is stored and nothing is charged. */
function preview(call: ApiCall): Outcome {
  const { params, tables } = call;
  const id = params.text('subscription');
  const customer = params.text('customer');
  const subscription =
    id === undefined ? undefined : call.the(tables.subscriptions, id, 'subscription', 'subscription', 404);
  if (customer === undefined && !subscription) throw missingParam('customer');
  if (customer !== undefined) customerOf(call, customer);
  if (subscription && customer !== undefined && subscription.customer !== customer)
    throw invalid('The subscription is not one of this customer.', 'subscription');
  const details = params.child('subscription_details') ?? params;
  const lines = subscription ? linesAfterChange(call, subscription, details) : linesOfNew(call, details);
  if (details !== params) details.done();
  params.done();
  const value = newInvoice(call.now, {
    customer: customer ?? subscription?.customer ?? '',
    currency: lines[0]?.currency ?? subscription?.currency ?? 'usd',
    lines,
    reason: 'upcoming',
    subscription: subscription ?? null,
  });
  return { value: { ...value, id: `upcoming_${value.id}` } };
}

function linesAfterChange(call: ApiCall, subscription: Subscription, details: Params): InvoiceLine[] {
  const changes = details.children('items').map((item) => changeIn(call, subscription, item));
  const prorated = proratedIn(call, details);
  const prorations = prorationsOf(subscription, changes, prorated);
  if (prorated.behavior === 'always_invoice' && prorations.length > 0) return prorations;
  const waiting = call.of(call.tables.pending, subscription.id)?.lines ?? [];
  const next = subscription.items.data.map((item) => {
    const { price, quantity } = changes.find((each) => each.item.id === item.id) ?? item;
    const { end: start } = periodOf(item);
    const owner = { subscription: subscription.id, item: item.id };
    return periodLine(owner, price, quantity, { start, end: periodEnd(start, price) });
  });
  return [...waiting, ...prorations, ...next];
}

function linesOfNew(call: ApiCall, details: Params): InvoiceLine[] {
  const items = details.children('items');
  if (items.length === 0) throw missingParam('subscription_details[items]');
  return items.map((item) => {
    const price = call.the(call.tables.prices, item.requiredText('price'), 'price', item.nameOf('price'));
    const quantity = item.integer('quantity') ?? 1;
    item.done();
    const period = { start: call.now, end: periodEnd(call.now, price) };
    return periodLine({ subscription: null, item: null }, price, quantity, period);
  });
}
