import type { Route } from '../../wire/router.js';
import { changeItems, type ItemChange, proratedIn, update } from '../billing/change-items.js';
import { subscribe } from '../billing/subscribe.js';
import type { Payments } from '../payments.js';
import type { Price, Subscription, SubscriptionItem } from '../state/objects.js';
import { type ApiCall, apiRoute, type Outcome } from '../wire/api-route.js';
import type { Params } from '../wire/params.js';
import { PaymentProblem, cardDeclined, invalid, missingParam, noSuch } from '../wire/problems.js';
import { theCustomer } from './customers.routes.js';
import { listed } from './listed.js';

export function subscriptionRoutes(payments: Payments): Route[] {
  return [
    apiRoute(payments, 'POST', '/subscriptions', (call) => create(payments, call)),
    apiRoute(payments, 'GET', '/subscriptions', (call) => {
      const customer = call.params.text('customer');
      const matches = (each: Subscription): boolean => customer === undefined || each.customer === customer;
      return listed(call, payments.subscriptions, '/v1/subscriptions', matches);
    }),
    apiRoute(payments, 'GET', '/subscriptions/:id', (call) => ({ value: theSubscription(payments, call) })),
    apiRoute(payments, 'POST', '/subscriptions/:id', (call) => change(payments, call)),
    apiRoute(payments, 'DELETE', '/subscriptions/:id', (call) => cancel(payments, call)),
    apiRoute(payments, 'GET', '/subscription_items/:id', (call) => ({ value: theItem(payments, call).item })),
    apiRoute(payments, 'POST', '/subscription_items/:id', (call) => changeItem(payments, call)),
  ];
}

/** Without a card on file nothing can be charged. */
function create(payments: Payments, caused: ApiCall): Outcome {
  const { params } = caused;
  const customer = theCustomer(payments, caused, params.requiredText('customer'));
  const items = params.children('items').map((item) => {
    const price = priceOf(payments, caused, item.requiredText('price'), item.nameOf('price'));
    const quantity = item.integer('quantity') ?? 1;
    item.done();
    return { price, quantity };
  });
  const metadata = params.metadata();
  params.done();
  if (items.length === 0) throw missingParam('items');
  if (customer.default_source === null) throw cardDeclined();
  return { value: subscribe(payments, caused, caused.call, { customer: customer.id, items, metadata }) };
}

function change(payments: Payments, caused: ApiCall): Outcome {
  const { params, call } = caused;
  const subscription = mustBeLive(theSubscription(payments, caused));
  const items = params.children('items').map((item) => changeIn(payments, caused, subscription, item));
  const prorated = proratedIn(payments, params);
  const isEnding = params.flag('cancel_at_period_end') ?? subscription.cancel_at_period_end;
  const metadata = params.metadata(subscription.metadata);
  params.done();
  const changed =
    items.length === 0 ? subscription : changeItems(payments, caused, call, subscription, items, prorated);
  return { value: update(payments, caused, call, changed, { ...ending(changed, isEnding), metadata }) };
}

export function ending(subscription: Subscription, isEnding: boolean): Subscription {
  const end = subscription.items.data[0]?.current_period_end ?? null;
  return { ...subscription, cancel_at_period_end: isEnding, cancel_at: isEnding ? end : null };
}

function changeIn(payments: Payments, caused: ApiCall, { items }: Subscription, params: Params): ItemChange {
  const id = params.requiredText('id');
  const item = items.data.find((each) => each.id === id);
  if (!item) throw noSuch('subscription item', id, params.nameOf('id'));
  const changed = changeOf(payments, caused, item, params);
  params.done();
  return changed;
}

/** A new price without a quantity sets the quantity to 1, as the provider does. */
export function changeOf(
  payments: Payments,
  caused: ApiCall,
  item: SubscriptionItem,
  params: Params,
): ItemChange {
  const given = params.text('price');
  const price = given === undefined ? item.price : priceOf(payments, caused, given, params.nameOf('price'));
  const isOther = price.id !== item.price.id;
  return { item, price, quantity: params.integer('quantity') ?? (isOther ? 1 : item.quantity) };
}

function changeItem(payments: Payments, caused: ApiCall): Outcome {
  const { params, call } = caused;
  const { item, subscription } = theItem(payments, caused);
  mustBeLive(subscription);
  const changed = changeOf(payments, caused, item, params);
  const prorated = proratedIn(payments, params);
  params.done();
  const { items } = changeItems(payments, caused, call, subscription, [changed], prorated);
  const value = items.data.find(({ id }) => id === item.id) ?? item;
  return { value };
}

function cancel(payments: Payments, caused: ApiCall): Outcome {
  const { account, call } = caused;
  const subscription = mustBeLive(theSubscription(payments, caused));
  const { now } = payments;
  const ended: Subscription = { ...subscription, status: 'canceled', canceled_at: now, ended_at: now };
  const { effect, line } = payments.effect(call, account, 'subscription_canceled', ended.id);
  payments.subscriptions.put(account.id, ended, line);
  payments.pending.discard(ended.id);
  payments.emit(caused, 'customer.subscription.deleted', ended);
  return { value: ended, effect };
}

function priceOf(payments: Payments, { account }: ApiCall, id: string, param: string): Price {
  const price = payments.prices.of(account.id, id);
  if (!price) throw noSuch('price', id, param);
  if (!price.recurring) throw invalid('The price must be recurring.', param);
  return price;
}

function theSubscription(payments: Payments, { account, path }: ApiCall): Subscription {
  const subscription = payments.subscriptions.of(account.id, path('id'));
  if (!subscription) throw noSuch('subscription', path('id'), 'id', 404);
  return subscription;
}

function theItem(
  payments: Payments,
  { account, path }: ApiCall,
): { readonly item: SubscriptionItem; readonly subscription: Subscription } {
  for (const subscription of payments.subscriptions.allOf(account.id)) {
    const item = subscription.items.data.find(({ id }) => id === path('id'));
    if (item) return { item, subscription };
  }
  throw noSuch('subscription_item', path('id'), 'item', 404);
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
