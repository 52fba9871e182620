import type { Route } from '../../wire/router.js';
import { type ItemChange, linesOf, mustBeInPeriod, proratedIn } from '../billing/change-items.js';
import { invoiceOf } from '../billing/invoice.js';
import { periodLine } from '../billing/lines.js';
import { periodEnd } from '../billing/periods.js';
import { periodOf } from '../billing/subscribe.js';
import type { Payments } from '../payments.js';
import type { Invoice, InvoiceLine, Subscription } from '../state/objects.js';
import { type ApiCall, apiRoute, type Outcome } from '../wire/api-route.js';
import type { Params } from '../wire/params.js';
import { invalid, missingParam, noSuch } from '../wire/problems.js';
import { theCustomer } from './customers.routes.js';
import { listed } from './listed.js';
import { changeOf } from './subscriptions.routes.js';

export function invoiceRoutes(payments: Payments): Route[] {
  return [
    apiRoute(payments, 'POST', '/invoices/create_preview', (call) => preview(payments, call)),
    apiRoute(payments, 'GET', '/invoices', (call) => {
      const customer = call.params.text('customer');
      const matches = (each: Invoice): boolean => customer === undefined || each.customer === customer;
      return listed(call, payments.invoices, '/v1/invoices', matches);
    }),
    apiRoute(payments, 'GET', '/invoices/:id', ({ account, path }) => {
      const invoice = payments.invoices.of(account.id, path('id'));
      if (!invoice) throw noSuch('invoice', path('id'), 'invoice', 404);
      return { value: invoice };
    }),
  ];
}

/** What would be invoiced next. Nothing is stored and nothing is charged. */
function preview(payments: Payments, caused: ApiCall): Outcome {
  const { params, account } = caused;
  const id = params.text('subscription');
  const customer = params.text('customer');
  const subscription = id === undefined ? undefined : payments.subscriptions.of(account.id, id);
  if (id !== undefined && !subscription) throw noSuch('subscription', id, 'subscription', 404);
  if (customer === undefined && !subscription) throw missingParam('customer');
  if (customer !== undefined) theCustomer(payments, caused, customer);
  if (subscription && customer !== undefined && subscription.customer !== customer)
    throw invalid('The subscription is not one of this customer.', 'subscription');
  const details = params.child('subscription_details') ?? params;
  const lines = subscription
    ? linesAfterChange(payments, caused, subscription, details)
    : linesOfNew(payments, caused, details);
  if (details !== params) details.done();
  params.done();
  const value = invoiceOf({
    customer: customer ?? subscription?.customer ?? '',
    currency: lines[0]?.currency ?? subscription?.currency ?? 'usd',
    lines,
    reason: 'upcoming',
    now: payments.now,
    subscription: subscription ?? null,
  });
  return { value: { ...value, id: `upcoming_${value.id}` } };
}

function linesAfterChange(
  payments: Payments,
  caused: ApiCall,
  subscription: Subscription,
  details: Params,
): InvoiceLine[] {
  const changes = details.children('items').map((item) => itemChange(payments, caused, subscription, item));
  const prorated = proratedIn(payments, details);
  mustBeInPeriod(prorated, changes);
  const prorations = prorated.behavior === 'none' ? [] : linesOf(subscription, changes, prorated.at);
  if (prorated.behavior === 'always_invoice' && prorations.length > 0) return prorations;
  const waiting = payments.pending.of(caused.account.id, subscription.id)?.lines ?? [];
  const next = subscription.items.data.map((item) => {
    const { price, quantity } = changes.find((change) => change.item.id === item.id) ?? item;
    const start = periodOf(item).end;
    const owner = { subscription: subscription.id, item: item.id };
    return periodLine(price, quantity, { start, end: periodEnd(start, price) }, owner);
  });
  return [...waiting, ...prorations, ...next];
}

function itemChange(
  payments: Payments,
  caused: ApiCall,
  { items }: Subscription,
  params: Params,
): ItemChange {
  const id = params.requiredText('id');
  const item = items.data.find((each) => each.id === id);
  if (!item) throw noSuch('subscription item', id, params.nameOf('id'));
  const change = changeOf(payments, caused, item, params);
  params.done();
  return change;
}

function linesOfNew(payments: Payments, { account }: ApiCall, details: Params): InvoiceLine[] {
  const items = details.children('items');
  if (items.length === 0) throw missingParam('subscription_details[items]');
  return items.map((item) => {
    const id = item.requiredText('price');
    const price = payments.prices.of(account.id, id);
    if (!price) throw noSuch('price', id, item.nameOf('price'));
    const quantity = item.integer('quantity') ?? 1;
    item.done();
    const start = payments.now;
    const period = { start, end: periodEnd(start, price) };
    return periodLine(price, quantity, period, { subscription: null, item: null });
  });
}
