import { Injectable } from '@nestjs/common';
import { GatewayConnection } from './gateway-connection.js';
import { PaymentsClient } from './payments-client.js';
import { paymentsResultOf } from './payments-results.js';
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
import {
  readChangedItem,
  readCheckout,
  readPortal,
  readPreview,
  readPrice,
  readSubscription,
} from './read-payments-responses.js';

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
