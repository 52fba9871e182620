import type Stripe from 'stripe';
import { callersMetadata } from './owned-objects.js';

/** Objects as this gateway shows them: amounts are integers in minor units, times RFC 3339 in UTC. */
export const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

export const idOf = (reference: string | { readonly id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

const currencyOf = (currency: string): string => currency.toUpperCase();

export const productView = ({ id, name, description, active, metadata, created }: Stripe.Product) => ({
  id,
  name,
  description,
  isActive: active,
  metadata: callersMetadata(metadata),
  createdAt: instant(created),
});

export const priceView = (price: Stripe.Price) => ({
  id: price.id,
  productId: idOf(price.product) ?? '',
  currency: currencyOf(price.currency),
  unitAmount: price.unit_amount,
  recurring: price.recurring && {
    interval: price.recurring.interval,
    intervalCount: price.recurring.interval_count,
  },
  nickname: price.nickname,
  isActive: price.active,
  metadata: callersMetadata(price.metadata),
  createdAt: instant(price.created),
});

export const customerView = ({ id, name, email, metadata, created }: Stripe.Customer) => ({
  id,
  name: name ?? null,
  email,
  metadata: callersMetadata(metadata),
  createdAt: instant(created),
});

export const checkoutView = (session: Stripe.Checkout.Session) => ({
  id: session.id,
  mode: session.mode,
  status: session.status,
  paymentStatus: session.payment_status,
  url: session.url,
  customerId: idOf(session.customer),
  subscriptionId: idOf(session.subscription),
  paymentIntentId: idOf(session.payment_intent),
  currency: session.currency === null ? null : currencyOf(session.currency),
  amountTotal: session.amount_total,
  reference: session.client_reference_id,
  metadata: callersMetadata(session.metadata),
  expiresAt: instant(session.expires_at),
  createdAt: instant(session.created),
});

export const portalView = ({ url }: Stripe.BillingPortal.Session) => ({ url });

export const itemView = (item: Stripe.SubscriptionItem) => ({
  id: item.id,
  priceId: item.price.id,
  productId: idOf(item.price.product) ?? '',
  unitAmount: item.price.unit_amount,
  quantity: item.quantity ?? 0,
  currentPeriodStart: instant(item.current_period_start),
  currentPeriodEnd: instant(item.current_period_end),
});

export const subscriptionView = (subscription: Stripe.Subscription) => ({
  id: subscription.id,
  status: subscription.status,
  customerId: idOf(subscription.customer) ?? '',
  currency: currencyOf(subscription.currency),
  items: subscription.items.data.map(itemView),
  cancelAtPeriodEnd: subscription.cancel_at_period_end,
  canceledAt: subscription.canceled_at === null ? null : instant(subscription.canceled_at),
  metadata: callersMetadata(subscription.metadata),
  createdAt: instant(subscription.created),
});

export const previewLineView = (line: Stripe.InvoiceLineItem) => ({
  description: line.description,
  amount: line.amount,
  quantity: line.quantity,
  priceId: idOf(line.pricing?.price_details?.price ?? null),
  isProration: line.parent?.subscription_item_details?.proration ?? false,
  periodStart: instant(line.period.start),
  periodEnd: instant(line.period.end),
});

export const previewView = (invoice: Stripe.Invoice) => ({
  currency: currencyOf(invoice.currency),
  subtotal: invoice.subtotal,
  total: invoice.total,
  amountDue: invoice.amount_due,
  lines: invoice.lines.data.map(previewLineView),
  hasMoreLines: invoice.lines.has_more,
});
