import type Stripe from 'stripe';
import { PaymentsSandbox } from '../support/payments-sandbox.js';
import { SandboxForTests } from '../support/sandbox.js';

let sandbox: SandboxForTests;
let payments: PaymentsSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await SandboxForTests.start();
  payments = await PaymentsSandbox.of(sandbox);
  stripe = payments.client();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await sandbox.control('POST', '/reset');
});

const seats = (unitAmount = 1_000): Promise<Stripe.Price> =>
  stripe.prices.create({
    currency: 'eur',
    unit_amount: unitAmount,
    recurring: { interval: 'month' },
    product_data: { name: 'Seat' },
  });

async function subscribed(quantity: number): Promise<Stripe.Subscription> {
  const price = await seats();
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity }],
    success_url: 'http://127.0.0.1:1/done?session={CHECKOUT_SESSION_ID}',
    subscription_data: { metadata: { owner: 'org-1' } },
  });
  const paid = await payments.pay(session.url ?? '');
  expect(paid.headers.get('location')).toBe(`http://127.0.0.1:1/done?session=${session.id}`);
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
  return stripe.subscriptions.retrieve(subscription as string);
}

describe('the payment provider of the sandbox, by its official client', () => {
  it('takes a price for an existing product or for product data, never both or neither', async () => {
    const product = await stripe.products.create({ name: 'Plan', metadata: { a: 'b' } });
    const price = await stripe.prices.create({ currency: 'jpy', unit_amount: 500, product: product.id });
    expect([price.product, price.unit_amount, price.currency]).toEqual([product.id, 500, 'jpy']);
    const both = { currency: 'eur', unit_amount: 1, product: product.id, product_data: { name: 'x' } };
    await expect(stripe.prices.create(both)).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.prices.create({ currency: 'eur', unit_amount: 1 })).rejects.toMatchObject({
      code: 'parameter_missing',
    });
  });

  it('refuses parameters that it does not know, as the provider does', async () => {
    const unknown = { name: 'x', colour: 'red' } as Stripe.ProductCreateParams;
    await expect(stripe.products.create(unknown)).rejects.toMatchObject({
      code: 'parameter_unknown',
      param: 'colour',
    });
    expect(await payments.effects()).toHaveLength(0);
  });

  it('gives the first result of an idempotency key again, and refuses other parameters', async () => {
    const first = await stripe.products.create({ name: 'One' }, { idempotencyKey: 'k1' });
    const again = await stripe.products.create({ name: 'One' }, { idempotencyKey: 'k1' });
    expect(again.id).toBe(first.id);
    expect((again.lastResponse as { headers: Record<string, string> }).headers['idempotent-replayed']).toBe(
      'true',
    );
    await expect(stripe.products.create({ name: 'Two' }, { idempotencyKey: 'k1' })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
    expect(await payments.effects('product_created')).toHaveLength(1);
  });

  it('answers a concurrent call with the same key with 409, and does not keep refused parameters', async () => {
    await sandbox.control('PUT', '/payments/settings', { executionMs: 200 });
    const both = await Promise.allSettled(
      [1, 2].map(() => stripe.products.create({ name: 'One' }, { idempotencyKey: 'k2' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { statusCode: 409 } });
    await sandbox.control('PUT', '/payments/settings', { executionMs: 0 });
    await expect(stripe.products.create({ name: '' }, { idempotencyKey: 'k3' })).rejects.toThrow();
    await expect(stripe.products.create({ name: 'x' }, { idempotencyKey: 'k3' })).resolves.toBeDefined();
  });

  it('keeps a server error that came after the effect for its key', async () => {
    const fault = { kind: 'server-error-after-effect', network: 'payments', route: 'POST /v1/products' };
    await sandbox.control('POST', '/faults', { ...fault, status: 500, times: 1 });
    const create = (): Promise<Stripe.Product> =>
      stripe.products.create({ name: 'One' }, { idempotencyKey: 'k4' });
    await expect(create()).rejects.toMatchObject({ statusCode: 500 });
    await expect(create()).rejects.toMatchObject({ statusCode: 500 });
    expect(await payments.effects('product_created')).toHaveLength(1);
  });

  it('refuses unknown keys and another version of the wire, and separates accounts', async () => {
    await expect(payments.client('sk_test_unknown').products.list()).rejects.toMatchObject({
      statusCode: 401,
    });
    const other = payments.client((await payments.newAccount('other')).secretKey);
    const { id } = await stripe.products.create({ name: 'Plan' });
    await expect(other.products.retrieve(id)).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    await expect(stripe.products.list({}, { apiVersion: '2020-08-27' })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  it('lists newest first, in pages', async () => {
    for (const name of ['a', 'b', 'c']) await stripe.products.create({ name });
    const names: string[] = [];
    for await (const { name } of stripe.products.list({ limit: 2 })) names.push(name);
    expect(names).toEqual(['c', 'b', 'a']);
  });

  it('completes a session with an accepted card only, once, and charges once', async () => {
    const price = await stripe.prices.create({
      currency: 'eur',
      unit_amount: 250,
      product_data: { name: 'Pen' },
    });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: price.id, quantity: 2 }],
      success_url: 'http://127.0.0.1:1/done',
      metadata: { order: '7' },
    });
    expect(await (await fetch(session.url ?? '')).text()).toContain('Pay 5.00 EUR');
    expect((await payments.pay(session.url ?? '', 'declined')).status).toBe(402);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await payments.pay(session.url ?? '');
    await payments.pay(session.url ?? '');
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
    });
    expect((await payments.effects('charged')).map(({ text }) => text)).toEqual(['500 eur']);
  });

  const sold = async (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
    const { id: price } = await stripe.prices.create({
      ...{ currency: 'eur', unit_amount: 250 },
      product_data: { name: 'Pen' },
    });
    const session = await stripe.checkout.sessions.create({
      ...{ mode: 'payment', line_items: [{ price, quantity: 2 }], success_url: 'http://127.0.0.1:1/done' },
      ...more,
    });
    await payments.pay(session.url ?? '');
    return stripe.checkout.sessions.retrieve(session.id);
  };
  const shown = async (type: string) =>
    (await payments.events(type)).map(({ data }) => data.object as unknown as Stripe.Charge);

  it('takes a payment of a guest, unless the session asks for a customer', async () => {
    const guest = await sold({ payment_intent_data: { metadata: { owner: 'org-1' } } });
    expect([guest.customer, guest.invoice]).toEqual([null, null]);
    const metadata = { owner: 'org-1' };
    const payment = { id: guest.payment_intent, customer: null, metadata };
    expect(await shown('payment_intent.succeeded')).toMatchObject([payment]);
    expect(await shown('charge.succeeded')).toMatchObject([
      { payment_intent: guest.payment_intent, customer: null, metadata },
    ]);
    expect((await sold({ customer_creation: 'always' })).customer).toMatch(/^cus_/);
    const known = await stripe.customers.create({ name: 'Acme' });
    expect((await sold({ customer: known.id })).customer).toBe(known.id);
    await expect(sold({ subscription_data: { metadata } })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('returns a payment and lets it be disputed when a test says so, once, by events without an owner', async () => {
    const { payment_intent } = await sold({ payment_intent_data: { metadata: { owner: 'org-1' } } });
    const intent = payment_intent as string;
    const act = async (action: string) => (await payments.act(intent, action)).status;
    expect([await act('dispute'), await act('refund'), await act('refund')]).toEqual([200, 200, 409]);
    expect((await payments.act('pi_none', 'refund')).status).toBe(404);
    const without = { payment_intent: intent, amount: 500, metadata: {} };
    expect(await shown('charge.dispute.created')).toMatchObject([{ ...without, object: 'dispute' }]);
    expect(await shown('refund.created')).toMatchObject([{ ...without, object: 'refund' }]);
    expect(await shown('charge.refunded')).toMatchObject([{ amount_refunded: 500, refunded: true }]);
    expect((await payments.effects('refunded')).map(({ text }) => text)).toEqual(['500 eur']);
  });

  it('charges the customer of a subscription, by events without its metadata', async () => {
    const { customer } = await subscribed(2);
    expect(await shown('charge.succeeded')).toMatchObject([{ customer, amount: 2_000, metadata: {} }]);
  });

  it('previews exactly what an update with the same proration date charges, without charging', async () => {
    const subscription = await subscribed(2);
    const item = subscription.items.data[0] as Stripe.SubscriptionItem;
    const date = item.current_period_start + 1_000_003;
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: item.id, quantity: 5 }],
        proration_behavior: 'always_invoice',
        proration_date: date,
      },
    });
    expect(await payments.effects('charged')).toHaveLength(1);
    await stripe.subscriptionItems.update(item.id, {
      quantity: 5,
      proration_behavior: 'always_invoice',
      proration_date: date,
    });
    const charged = (await payments.effects('charged')).map(({ text }) => text);
    expect(charged).toEqual(['2000 eur', `${preview.amount_due} eur`]);
    expect(preview.amount_due).toBeGreaterThan(0);
    expect(subscription.metadata).toEqual({ owner: 'org-1' });
  });

  it('sets the quantity to 1 when a new price comes without one', async () => {
    const subscription = await subscribed(4);
    const { id } = subscription.items.data[0] as Stripe.SubscriptionItem;
    const changed = await stripe.subscriptionItems.update(id, { price: (await seats(2_000)).id });
    expect(changed.quantity).toBe(1);
  });

  it('shows the subscriptions of a customer in the billing portal, where they can be ended and kept', async () => {
    const { id, customer, items } = await subscribed(2);
    const session = await stripe.billingPortal.sessions.create({
      customer: customer as string,
      return_url: 'http://127.0.0.1:1/billing?a=1&b=2',
    });
    const shown = async () => {
      const response = await fetch(session.url);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ]);
      return response.text();
    };
    const decide = async (decision: string) => {
      const body = new URLSearchParams({ subscription: id, decision });
      const response = await fetch(session.url, { method: 'POST', redirect: 'manual', body });
      expect(new URL(response.headers.get('location') ?? '', session.url).href).toBe(session.url);
      return (await stripe.subscriptions.retrieve(id)).cancel_at_period_end;
    };
    const page = await shown();
    expect(page).toContain(`2 × ${items.data[0]?.price.product as string}: active`);
    expect(page).toContain('href="http://127.0.0.1:1/billing?a=1&amp;b=2"');
    expect(await decide('cancel')).toBe(true);
    expect(await shown()).toContain('active, ends with its period');
    expect(await decide('keep')).toBe(false);
    expect((await fetch(`${payments.url}/p/session/bps_none`)).status).toBe(404);
  });

  it('renews a subscription when a test says so: it charges what waited, and the next period, once', async () => {
    const { id, items } = await subscribed(2);
    const item = items.data[0] as Stripe.SubscriptionItem;
    await stripe.subscriptionItems.update(item.id, {
      quantity: 5,
      proration_behavior: 'create_prorations',
      proration_date: item.current_period_start + 1_000_003,
    });
    const renew = async () => {
      const { status, body } = await sandbox.control('POST', `/payments/subscriptions/${id}/renew`);
      expect(status).toBe(200);
      return body as Stripe.Invoice;
    };
    const [first, second] = [await renew(), await renew()];
    expect(first.lines.data.map(({ amount }) => amount).at(-1)).toBe(5_000);
    expect(first.amount_due).toBeGreaterThan(5_000);
    expect([second.billing_reason, second.amount_due]).toEqual(['subscription_cycle', 5_000]);
    const charged = (await payments.effects('charged')).map(({ text }) => text);
    expect(charged).toEqual(['2000 eur', `${first.amount_due} eur`, '5000 eur']);
    const renewed = (await stripe.subscriptions.retrieve(id)).items.data[0];
    expect(renewed?.current_period_start).toBeGreaterThan(item.current_period_end);
    expect((await sandbox.control('POST', '/payments/subscriptions/sub_none/renew')).status).toBe(404);
  });

  it('does not list a deleted customer, and shows that it is deleted', async () => {
    const { id } = await stripe.customers.create({ email: 'leaving@example.com' });
    expect(await stripe.customers.del(id)).toMatchObject({ id, deleted: true });
    expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true });
    expect((await stripe.customers.list()).data).toEqual([]);
    await expect(stripe.customers.del(id)).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.billingPortal.sessions.create({ customer: id })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });
});
