import { Injectable } from '@nestjs/common';
import { GatewayConnection } from './gateway-connection.js';
import { PaymentsClient, paymentsResultOf } from './payments-client.js';
import type {
  Checkout,
  InvoicePreview,
  ItemChange,
  NewCheckout,
  NewPrice,
  PaymentPrice,
  PaymentsCall,
  PaymentsResult,
  PaymentSubscription,
  PaymentSubscriptionItem,
} from './payments.types.js';
import { count, flag, instant, list, nullable, object, text, UnexpectedShape } from './response-shape.js';

/** @throws UnexpectedShape, like the functions below */
function readPrice(body: unknown): PaymentPrice {
  const price = object(body, 'body');
  return {
    id: text(price.id, 'id'),
    productId: text(price.productId, 'productId'),
    currency: text(price.currency, 'currency'),
    unitAmount: nullable(price.unitAmount, 'unitAmount', count),
  };
}

function readCheckout(body: unknown): Checkout {
  const checkout = object(body, 'body');
  return {
    id: text(checkout.id, 'id'),
    status: nullable(checkout.status, 'status', text),
    url: nullable(checkout.url, 'url', text),
    customerId: nullable(checkout.customerId, 'customerId', text),
    subscriptionId: nullable(checkout.subscriptionId, 'subscriptionId', text),
  };
}

const readPortal = (body: unknown): { url: string } => ({
  url: text(object(body, 'body').url, 'url'),
});

function readSubscription(body: unknown): PaymentSubscription {
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

const readChangedItem = (body: unknown): PaymentSubscriptionItem =>
  readItem(object(body, 'body').item, 'item');

function readPreview(body: unknown): InvoicePreview {
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

/** Longer than two calls of the gateway to the provider. */
const TIMEOUT_MS = 50_000;

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

/** The payment routes of the gateway over HTTP. */
@Injectable()
export class HttpPaymentsClient extends PaymentsClient {
  constructor(private readonly connection: GatewayConnection) {
    super();
  }

  get isConfigured(): boolean {
    return this.connection.isConfigured;
  }

  createPrice(call: PaymentsCall, body: NewPrice): Promise<PaymentsResult<PaymentPrice>> {
    return this.send(call, { method: 'POST', path: 'prices', body }, readPrice);
  }

  createCheckout(call: PaymentsCall, body: NewCheckout): Promise<PaymentsResult<Checkout>> {
    return this.send(call, { method: 'POST', path: 'checkout-sessions', body }, readCheckout);
  }

  checkout(call: PaymentsCall, id: string): Promise<PaymentsResult<Checkout>> {
    return this.send(
      call,
      { method: 'GET', path: `checkout-sessions/${encodeURIComponent(id)}` },
      readCheckout,
    );
  }

  openPortal(
    call: PaymentsCall,
    body: { readonly customerId: string; readonly returnUrl: string },
  ): Promise<PaymentsResult<{ readonly url: string }>> {
    return this.send(call, { method: 'POST', path: 'portal-sessions', body }, readPortal);
  }

  subscription(call: PaymentsCall, id: string): Promise<PaymentsResult<PaymentSubscription>> {
    return this.send(
      call,
      { method: 'GET', path: `subscriptions/${encodeURIComponent(id)}` },
      readSubscription,
    );
  }

  changeItem(call: PaymentsCall, change: ItemChange): Promise<PaymentsResult<PaymentSubscriptionItem>> {
    const { subscriptionId, itemId, ...body } = change;
    const path = `subscriptions/${encodeURIComponent(subscriptionId)}/items/${encodeURIComponent(itemId)}`;
    return this.send(call, { method: 'PATCH', path, body }, readChangedItem);
  }

  previewChange(call: PaymentsCall, change: ItemChange): Promise<PaymentsResult<InvoicePreview>> {
    const { subscriptionId, itemId, quantity, priceId, ...proration } = change;
    const body = { subscriptionId, items: [{ itemId, quantity, priceId }], ...proration };
    return this.send(call, { method: 'POST', path: 'invoice-previews', body }, readPreview);
  }

  private send<T>(
    { organizationId, userId, idempotencyKey }: PaymentsCall,
    { method, path, body }: Sent,
    read: (body: unknown) => T,
  ): Promise<PaymentsResult<T>> {
    return this.connection.send<PaymentsResult<T>>(
      {
        method,
        path: `/api/payments/${path}`,
        organizationId,
        timeoutMs: TIMEOUT_MS,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(userId !== undefined && { 'x-user-id': userId }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      (response) => paymentsResultOf(response, read),
    );
  }
}
