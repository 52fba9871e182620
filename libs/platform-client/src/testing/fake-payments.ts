import { randomUUID } from 'node:crypto';
import { PaymentsClient } from '../payments-client.js';
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
} from '../payments.types.js';

type Owned<T> = T & { readonly organizationId: string };

const id = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
const answered = <T>(value: T): PaymentsResult<T> => ({ kind: 'answered', value });
const refused = (code: string): PaymentsResult<never> => ({ kind: 'refused', code, providerCode: null });
const NOT_FOUND = { kind: 'not-found' } as const;

/** In-memory payments. They pass the same contract tests as the service (test/integration/payments-contract.int-spec.ts). */
export class FakePayments extends PaymentsClient {
  isConfigured = true;
  /** Origins to which a checkout returns. */
  returnOrigins = ['http://127.0.0.1:3000'];
  private readonly prices = new Map<string, Owned<PaymentPrice>>();
  private readonly checkouts = new Map<string, Owned<Checkout & { readonly order: NewCheckout }>>();
  private readonly subscriptions = new Map<string, Owned<PaymentSubscription>>();
  private readonly kept = new Map<
    string,
    { readonly sent: string; readonly result: PaymentsResult<unknown> }
  >();

  /** What a person does on the page of a checkout. */
  pay(url: string): void {
    const checkout = [...this.checkouts.values()].find((each) => each.url === url);
    if (!checkout) return;
    const { order, organizationId } = checkout;
    const [customerId, subscriptionId] = [checkout.customerId ?? id('cus'), id('sub')];
    const items = order.items.map((item) => ({ id: id('si'), ...item }));
    const subscription = {
      id: subscriptionId,
      status: 'active',
      customerId,
      items,
      cancelAtPeriodEnd: false,
    };
    this.subscriptions.set(subscriptionId, {
      ...subscription,
      metadata: order.metadata ?? {},
      organizationId,
    });
    const complete = { ...checkout, status: 'complete', url: null, customerId, subscriptionId };
    this.checkouts.set(checkout.id, complete);
  }

  createPrice(call: PaymentsCall, price: NewPrice): Promise<PaymentsResult<PaymentPrice>> {
    return this.once(call, price, () => {
      const { currency, unitAmount, productId, productData } = price;
      if ((productId === undefined) === (productData === undefined))
        return refused('product_not_stated_once');
      const created = { id: id('price'), productId: productId ?? id('prod'), currency, unitAmount };
      this.prices.set(created.id, { ...created, organizationId: call.organizationId });
      return answered(created);
    });
  }

  createCheckout(call: PaymentsCall, order: NewCheckout): Promise<PaymentsResult<Checkout>> {
    return this.once(call, order, () => {
      if (!this.isReturn(order.successUrl)) return refused('return_address_not_allowed');
      if (order.items.some(({ priceId }) => !own(this.prices, call, priceId))) return NOT_FOUND;
      const checkout = {
        id: id('cs'),
        status: 'open',
        url: `http://127.0.0.1:1/${randomUUID()}`,
        customerId: order.customerId ?? null,
        subscriptionId: null,
      };
      this.checkouts.set(checkout.id, { ...checkout, order, organizationId: call.organizationId });
      return answered(checkout);
    });
  }

  checkout(call: PaymentsCall, checkoutId: string): Promise<PaymentsResult<Checkout>> {
    const found = own(this.checkouts, call, checkoutId);
    if (!found) return Promise.resolve(NOT_FOUND);
    const { status, url, customerId, subscriptionId } = found;
    return Promise.resolve(answered({ id: found.id, status, url, customerId, subscriptionId }));
  }

  openPortal(
    call: PaymentsCall,
    { customerId, returnUrl }: { readonly customerId: string; readonly returnUrl: string },
  ): Promise<PaymentsResult<{ readonly url: string }>> {
    if (!this.isReturn(returnUrl)) return Promise.resolve(refused('return_address_not_allowed'));
    const isOwn = [...this.subscriptions.values()].some(
      (each) => each.customerId === customerId && each.organizationId === call.organizationId,
    );
    return Promise.resolve(isOwn ? answered({ url: `http://127.0.0.1:1/${randomUUID()}` }) : NOT_FOUND);
  }

  subscription(call: PaymentsCall, subscriptionId: string): Promise<PaymentsResult<PaymentSubscription>> {
    const found = own(this.subscriptions, call, subscriptionId);
    if (!found) return Promise.resolve(NOT_FOUND);
    const { status, customerId, items, cancelAtPeriodEnd, metadata } = found;
    return Promise.resolve(
      answered({ id: found.id, status, customerId, items, cancelAtPeriodEnd, metadata }),
    );
  }

  changeItem(call: PaymentsCall, change: ItemChange): Promise<PaymentsResult<PaymentSubscriptionItem>> {
    return this.once(call, change, () => {
      const found = own(this.subscriptions, call, change.subscriptionId);
      const item = found?.items.find((each) => each.id === change.itemId);
      if (!found || !item) return NOT_FOUND;
      const { quantity = item.quantity, priceId = item.priceId } = change;
      const changed = { ...item, quantity, priceId };
      const items = found.items.map((each) => (each.id === item.id ? changed : each));
      this.subscriptions.set(found.id, { ...found, items });
      return answered(changed);
    });
  }

  /** As if nothing of the period had passed. */
  previewChange(call: PaymentsCall, change: ItemChange): Promise<PaymentsResult<InvoicePreview>> {
    const found = own(this.subscriptions, call, change.subscriptionId);
    const item = found?.items.find((each) => each.id === change.itemId);
    const price = this.prices.get(change.priceId ?? item?.priceId ?? '');
    if (!item || !price) return Promise.resolve(NOT_FOUND);
    const total = ((change.quantity ?? item.quantity) - item.quantity) * (price.unitAmount ?? 0);
    const { prorationBehavior, prorationDate = new Date().toISOString() } = change;
    const date = prorationBehavior === 'none' ? null : prorationDate;
    const preview = { currency: price.currency, total, amountDue: Math.max(0, total), prorationDate: date };
    return Promise.resolve(answered(preview));
  }

  private isReturn(address: string): boolean {
    return this.returnOrigins.includes(URL.parse(address)?.origin ?? '');
  }

  private once<T>(
    { organizationId, idempotencyKey }: PaymentsCall,
    request: object,
    act: () => PaymentsResult<T>,
  ): Promise<PaymentsResult<T>> {
    if (idempotencyKey === undefined) return Promise.resolve(act());
    const key = `${organizationId} ${idempotencyKey}`;
    const sent = JSON.stringify(request);
    const known = this.kept.get(key) ?? { sent, result: act() };
    this.kept.set(key, known);
    if (known.sent !== sent) return Promise.resolve(refused('idempotency_key_reused'));
    return Promise.resolve(known.result as PaymentsResult<T>);
  }
}

function own<T>(among: ReadonlyMap<string, Owned<T>>, call: PaymentsCall, key: string): Owned<T> | undefined {
  const found = among.get(key);
  return found?.organizationId === call.organizationId ? found : undefined;
}
