import type {
  Checkout,
  InvoicePreview,
  PaymentPrice,
  PaymentSubscription,
  PaymentSubscriptionItem,
} from './payments.types.js';
import { count, flag, instant, list, nullable, object, text, UnexpectedShape } from './response-shape.js';

/** @throws UnexpectedShape, like the functions below */
export function readPrice(body: unknown): PaymentPrice {
  const price = object(body, 'body');
  return {
    id: text(price.id, 'id'),
    productId: text(price.productId, 'productId'),
    currency: text(price.currency, 'currency'),
    unitAmount: nullable(price.unitAmount, 'unitAmount', count),
  };
}

export function readCheckout(body: unknown): Checkout {
  const checkout = object(body, 'body');
  return {
    id: text(checkout.id, 'id'),
    status: nullable(checkout.status, 'status', text),
    url: nullable(checkout.url, 'url', text),
    customerId: nullable(checkout.customerId, 'customerId', text),
    subscriptionId: nullable(checkout.subscriptionId, 'subscriptionId', text),
  };
}

export const readPortal = (body: unknown): { url: string } => ({
  url: text(object(body, 'body').url, 'url'),
});

export function readSubscription(body: unknown): PaymentSubscription {
  const subscription = object(body, 'body');
  const metadata = Object.entries(object(subscription.metadata, 'metadata'));
  return {
    id: text(subscription.id, 'id'),
    status: text(subscription.status, 'status'),
    customerId: text(subscription.customerId, 'customerId'),
    items: list(subscription.items, 'items', readItem),
    cancelAtPeriodEnd: flag(subscription.cancelAtPeriodEnd, 'cancelAtPeriodEnd'),
    metadata: Object.fromEntries(metadata.map(([name, value]) => [name, text(value, `metadata.${name}`)])),
  };
}

export const readChangedItem = (body: unknown): PaymentSubscriptionItem =>
  readItem(object(body, 'body').item, 'item');

export function readPreview(body: unknown): InvoicePreview {
  const preview = object(body, 'body');
  return {
    currency: text(preview.currency, 'currency'),
    amountDue: count(preview.amountDue, 'amountDue'),
    total: integer(preview.total, 'total'),
    prorationDate: nullable(preview.prorationDate, 'prorationDate', instant),
  };
}

function readItem(value: unknown, path: string): PaymentSubscriptionItem {
  const item = object(value, path);
  return {
    id: text(item.id, `${path}.id`),
    priceId: text(item.priceId, `${path}.priceId`),
    quantity: count(item.quantity, `${path}.quantity`),
  };
}

/** Negative: credit. */
function integer(value: unknown, path: string): number {
  if (!Number.isSafeInteger(value)) throw new UnexpectedShape(path, 'an integer');
  return value as number;
}
