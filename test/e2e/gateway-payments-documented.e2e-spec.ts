import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { Documented } from '../support/documented.js';
import { ORIGIN, type PaymentsCaller, PaymentsWorld } from '../support/payments-world.js';

const AT = '/api/payments';
const UNKNOWN = { id: 'none_0123456789', itemId: 'si_0123456789' };

describe('the responses of payment routes match the document', () => {
  let world: PaymentsWorld;
  let documented: Documented;
  let caller: PaymentsCaller;

  beforeAll(async () => {
    world = await PaymentsWorld.open();
    documented = await Documented.by(world.gateway.service.url);
    caller = await world.caller();
  });
  afterAll(() => world.close());

  const send = async (
    operation: string,
    status: number,
    body?: object,
    ids: { readonly id?: string; readonly itemId?: string } = UNKNOWN,
    headers: Readonly<Record<string, string>> = caller.headers,
  ) => {
    const [method = 'get', path = ''] = operation.split(' ') as ['get' | 'post' | 'patch', string];
    const url = path.replace('{id}', ids.id ?? '').replace('{itemId}', ids.itemId ?? '');
    const sent = request(world.gateway.service.url)[method](url).set(headers);
    const response = await (body ? sent.send(body) : sent);
    documented.check(operation, response);
    expect([operation, response.status]).toEqual([operation, status]);
    return response.body as { id: string; operationId: string };
  };

  it('for products, prices and customers', async () => {
    const product = await send(`post ${AT}/products`, 201, { name: 'Plan' });
    await send(`post ${AT}/products`, 400, {});
    await send(`post ${AT}/products`, 403, { name: 'Plan' }, UNKNOWN, { 'x-service-token': 'x'.repeat(40) });
    await send(`get ${AT}/products/{id}`, 200, undefined, product);
    await send(`get ${AT}/products/{id}`, 404);
    const price = { currency: 'EUR', unitAmount: 100 };
    const created = await send(`post ${AT}/prices`, 201, { ...price, productId: product.id });
    await send(`post ${AT}/prices`, 400, price);
    await send(`post ${AT}/prices`, 404, { ...price, productId: 'prod_none' });
    await send(`get ${AT}/prices/{id}`, 200, undefined, created);
    await send(`get ${AT}/prices/{id}`, 404);
    const customer = await send(`post ${AT}/customers`, 201, { name: 'Acme', email: 'acme@example.com' });
    await send(`get ${AT}/customers/{id}`, 200, undefined, customer);
    await send(`get ${AT}/customers/{id}`, 404);
    await send(`post ${AT}/portal-sessions`, 201, { customerId: customer.id, returnUrl: `${ORIGIN}/x` });
    await send(`post ${AT}/portal-sessions`, 400, {
      customerId: customer.id,
      returnUrl: 'https://evil.test',
    });
  });

  it('for checkouts, subscriptions and previews', async () => {
    const priceId = await caller.price();
    const session = { mode: 'subscription', items: [{ priceId, quantity: 1 }], successUrl: `${ORIGIN}/x` };
    const created = await send(`post ${AT}/checkout-sessions`, 201, session);
    await send(`post ${AT}/checkout-sessions`, 400, { ...session, mode: 'gift' });
    await send(`get ${AT}/checkout-sessions/{id}`, 200, undefined, created);
    await send(`get ${AT}/checkout-sessions/{id}`, 404);
    const subscription = await caller.subscription(world.payments, 2);
    await send(`get ${AT}/subscriptions/{id}`, 200, undefined, subscription);
    await send(`get ${AT}/subscriptions/{id}`, 404);
    const item = `patch ${AT}/subscriptions/{id}/items/{itemId}`;
    const change = { quantity: 3, prorationBehavior: 'none' };
    await send(item, 200, change, subscription);
    await send(item, 400, { quantity: 3 }, subscription);
    await send(item, 404, change);
    const past = { ...change, prorationBehavior: 'always_invoice', prorationDate: '2020-01-01T00:00:00Z' };
    await send(item, 422, past, subscription);
    const items = [{ itemId: subscription.itemId, quantity: 5 }];
    const preview = { subscriptionId: subscription.id, items, prorationBehavior: 'create_prorations' };
    await send(`post ${AT}/invoice-previews`, 200, preview);
    await send(`post ${AT}/invoice-previews`, 400, { items });
  });

  it.each([
    ['rate-limited', 1, 429],
    ['unauthorized', 1, 502],
    ['drop-after-effect', 2, 502],
  ])('for a provider that fails (%s)', async (fault, times, status) => {
    const { id } = (await caller.post('/products', { name: 'Read' }).expect(201)).body as { id: string };
    await world.fault(fault, 'POST /v1/products', { times });
    await send(`post ${AT}/products`, status, { name: 'Fails' });
    if (fault === 'drop-after-effect') return;
    await world.fault(fault, `GET /v1/products/:id`, { times });
    await send(`get ${AT}/products/{id}`, status, undefined, { id });
  });

  it('for operations, events and webhooks', async () => {
    await world.fault('drop-after-effect', 'POST /v1/products', { times: 2 });
    const lost = await send(`post ${AT}/products`, 502, { name: 'Lost' });
    await send(`get ${AT}/operations/{id}`, 200, undefined, { id: lost.operationId });
    await send(`get ${AT}/operations/{id}`, 404, undefined, { id: randomUUID() });
    const { identity } = world.gateway;
    const organizations = [{ id: identity.organization(), isAdministrative: true }];
    const token = identity.user({ principalType: 'platform_admin', organizations });
    const admin = { authorization: `Bearer ${token}` };
    await send(`get ${AT}/undelivered-events`, 200, undefined, UNKNOWN, admin);
    await send(`get ${AT}/undelivered-events`, 401, undefined, UNKNOWN, {});
    const resend = `post ${AT}/undelivered-events/{id}/resend`;
    await send(resend, 404, undefined, { id: randomUUID() }, admin);
    await send(`post ${AT}/webhooks/stripe`, 400, {}, UNKNOWN, {});
    const own = { id: randomUUID() };
    const path = `post ${AT}/webhooks/stripe/{credentialId}`;
    const response = await request(world.gateway.service.url)
      .post(`${AT}/webhooks/stripe/${own.id}`)
      .send({});
    documented.check(path, response);
    expect(response.status).toBe(400);
  });
});
