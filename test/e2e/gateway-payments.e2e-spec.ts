import { jest } from '@jest/globals';
import request from 'supertest';
import { PaymentCredentials } from '../../src/platform/gateway/payments/stripe/payment-credentials.js';
import { ORIGIN, type PaymentsCaller, PaymentsWorld } from '../support/payments-world.js';

const SHARED = 'the-shared-token-of-the-services-123';
const PRODUCT = 'POST /v1/products';

interface Preview {
  readonly amountDue: number;
  readonly prorationDate: string;
  readonly lines: readonly { readonly amount: number; readonly isProration: boolean }[];
}

describe('payments through the gateway', () => {
  let world: PaymentsWorld;
  let caller: PaymentsCaller;

  beforeAll(async () => {
    world = await PaymentsWorld.open({
      GATEWAY_APPLICATION_CAPABILITIES: 'agent:completions+payments,settlement:payments',
      GATEWAY_SHARED_TOKENS: SHARED,
    });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.sandbox.control('DELETE', '/faults');
    caller = await world.caller();
  });

  const effects = async (kind: string, name: string) =>
    (await world.payments.effects(kind)).filter(({ text }) => text === name);

  it('GW-03: are typed: amounts in minor units, ISO currencies, and no unknown fields', async () => {
    const price = await caller.post('/prices', {
      ...{ currency: 'jpy', unitAmount: 500, productData: { name: 'Ticket' }, metadata: { a: 'b' } },
    });
    expect([price.status, price.body]).toEqual([
      201,
      {
        ...{ id: expect.stringMatching(/^price_/), productId: expect.stringMatching(/^prod_/) },
        ...{ currency: 'JPY', unitAmount: 500, recurring: null, nickname: null, isActive: true },
        ...{ metadata: { a: 'b' }, createdAt: expect.any(String) },
      },
    ]);
    expect((await caller.get(`/prices/${price.body.id}`)).body).toEqual(price.body);
    const valid = { currency: 'EUR', unitAmount: 1, productData: { name: 'x' } };
    for (const wrong of [
      { unitAmount: 1.5 },
      { unitAmount: -1 },
      { unitAmount: '1' },
      { unitAmount: 100_000_000 },
      { currency: 'XXQ' },
      { colour: 'red' },
      { metadata: { a: 1 } },
      { metadata: { gateway_organization: 'x' } },
      { recurring: { interval: 'decade' } },
    ])
      await caller.post('/prices', { ...valid, ...wrong }).expect(400);
  });

  it('GW-03: so are checkouts, changes of subscriptions and previews of invoices', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 1);
    const priceId = await caller.price();
    const session = {
      mode: 'subscription',
      items: [{ priceId, quantity: 1 }],
      successUrl: `${ORIGIN}/done`,
    };
    const change = { quantity: 2, prorationBehavior: 'none' };
    const preview = { subscriptionId: id, items: [{ itemId, quantity: 2 }], prorationBehavior: 'none' };
    const path = `/subscriptions/${id}/items/${itemId}`;
    await caller.post('/checkout-sessions', session).expect(201);
    await caller.patch(path, change).expect(200);
    await caller.post('/invoice-previews', preview).expect(200);
    for (const wrong of [
      ...[{ mode: 'setup' }, { mode: undefined }, { items: [] }, { items: [{ priceId, quantity: 0 }] }],
      ...[{ items: [{ priceId, quantity: 1, colour: 'red' }] }, { items: [{ priceId: 'a/b', quantity: 1 }] }],
      ...[{ successUrl: undefined }, { customerEmail: 'nobody' }, { metadata: { a: 1 } }, { colour: 'red' }],
      { customerId: 'cus_1', customerEmail: 'a@example.com' },
    ])
      await caller.post('/checkout-sessions', { ...session, ...wrong }).expect(400);
    for (const wrong of [
      ...[{ quantity: -1 }, { quantity: 1.5 }, { quantity: '2' }, { quantity: 1_000_000 }, { colour: 'red' }],
      ...[{ prorationBehavior: 'some' }, { prorationDate: 'tomorrow' }, { priceId: '' }],
    ])
      await caller.patch(path, { ...change, ...wrong }).expect(400);
    await caller.patch(path, { prorationBehavior: 'none' }).expect(400);
    for (const wrong of [
      ...[{ items: [] }, { items: [{ itemId, quantity: -1 }] }, { items: [{ itemId, colour: 'red' }] }],
      ...[{ subscriptionId: undefined }, { customerId: 'cus_1' }, { prorationBehavior: undefined }],
      { colour: 'red' },
    ])
      await caller.post('/invoice-previews', { ...preview, ...wrong }).expect(400);
  });

  it('GW-14: a price takes a product or product data, not both and not neither', async () => {
    const { body: product } = await caller.post('/products', { name: 'Plan' }).expect(201);
    const price = { currency: 'EUR', unitAmount: 100 };
    const { body: ofProduct } = await caller.post('/prices', { ...price, productId: product.id }).expect(201);
    expect(ofProduct.productId).toBe(product.id);
    await caller.post('/prices', { ...price, productData: { name: 'New' } }).expect(201);
    for (const wrong of [{}, { productId: product.id, productData: { name: 'New' } }]) {
      const { body } = await caller.post('/prices', { ...price, ...wrong }).expect(400);
      expect(body.code).toBe('product_not_stated_once');
    }
    for (const wrong of [
      { productId: null },
      { productData: null },
      { productId: product.id, productData: null },
    ])
      await caller.post('/prices', { ...price, ...wrong }).expect(400);
  });

  it('GW-15: the quantity of a subscription changes with a stated proration', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 2);
    const path = `/subscriptions/${id}/items/${itemId}`;
    await caller.patch(path, { quantity: 5 }).expect(400);
    const { body } = await caller.patch(path, { quantity: 5, prorationBehavior: 'none' }).expect(200);
    expect(body).toMatchObject({ subscriptionId: id, item: { quantity: 5 }, prorationDate: null });
    const { body: read } = await caller.get(`/subscriptions/${id}`).expect(200);
    expect(read).toMatchObject({ status: 'active', items: [{ quantity: 5 }], metadata: { package: 'five' } });
  });

  it('GW-15: another price without a quantity keeps the quantity', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 4);
    const change = {
      priceId: await caller.price({ unitAmount: 2_000 }),
      prorationBehavior: 'create_prorations',
    };
    const { body } = await caller.patch(`/subscriptions/${id}/items/${itemId}`, change).expect(200);
    expect(body.item).toMatchObject({ quantity: 4, unitAmount: 2_000, priceId: change.priceId });
  });

  it('GW-16: a preview charges nothing, and an update with its date charges the same amount', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 2);
    const charged = async () => (await world.payments.effects('charged')).map(({ text }) => text);
    const before = await charged();
    const preview = await caller.post('/invoice-previews', {
      subscriptionId: id,
      items: [{ itemId, quantity: 7 }],
      prorationBehavior: 'always_invoice',
      prorationDate: new Date(Date.now() + 86_400_000).toISOString(),
    });
    expect(preview.status).toBe(200);
    const { amountDue, prorationDate, lines } = preview.body as Preview;
    expect(lines.map(({ isProration }) => isProration)).toEqual([true, true]);
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(amountDue);
    expect(await charged()).toEqual(before);
    const update = { quantity: 7, prorationBehavior: 'always_invoice', prorationDate };
    await caller.patch(`/subscriptions/${id}/items/${itemId}`, update).expect(200);
    expect(await charged()).toEqual([...before, `${amountDue} eur`]);
  });

  it('GW-16: the first invoice of a new subscription is previewed for a customer', async () => {
    const { body: customer } = await caller.post('/customers', { email: 'a@example.com' }).expect(201);
    const { body } = await caller.post('/invoice-previews', {
      ...{ customerId: customer.id, items: [{ priceId: await caller.price(), quantity: 3 }] },
      prorationBehavior: 'none',
    });
    expect(body).toMatchObject({ currency: 'EUR', amountDue: 3_000 });
  });

  it('GW-17: a shared token does not reach payments, also under the id of another application', async () => {
    for (const application of ['settlement', 'payment', 'notification', 'social-publishing']) {
      const { organizationId } = caller;
      const headers = await world.gateway.headers({ application, token: SHARED, organizationId });
      await caller.post('/products', { name: 'By settlement' }).set(headers).expect(403);
    }
    expect(await effects('product_created', 'By settlement')).toEqual([]);
  });

  it('hides objects from other organizations and from other applications', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 1);
    const priceId = await caller.price();
    const others = [await world.caller(), await world.otherApplication(caller.organizationId)];
    const proration = { prorationBehavior: 'none' };
    for (const other of others) {
      await other.get(`/subscriptions/${id}`).expect(404);
      await other.get(`/prices/${priceId}`).expect(404);
      await other.patch(`/subscriptions/${id}/items/${itemId}`, { quantity: 9, ...proration }).expect(404);
      await other
        .post('/invoice-previews', { subscriptionId: id, items: [{ itemId }], ...proration })
        .expect(404);
      const session = { mode: 'payment', items: [{ priceId, quantity: 1 }], successUrl: ORIGIN };
      await other.post('/checkout-sessions', session).expect(404);
    }
    const own = await others[0]?.subscription(world.payments, 1);
    const { body } = await caller
      .patch(`/subscriptions/${id}/items/${own?.itemId}`, { quantity: 9, ...proration })
      .expect(404);
    expect(body.code).toBe('payment_object_not_found');
  });

  it('returns people to allowed origins only', async () => {
    const items = [{ priceId: await caller.price(), quantity: 1 }];
    const session = { mode: 'subscription', items, successUrl: `${ORIGIN}/done` };
    await caller.post('/checkout-sessions', session).expect(201);
    for (const wrong of [{ successUrl: 'https://evil.test/' }, { cancelUrl: `${ORIGIN}@evil.test/` }]) {
      const { body } = await caller.post('/checkout-sessions', { ...session, ...wrong }).expect(400);
      expect(body.code).toBe('return_address_not_allowed');
    }
  });

  it('checks a credential with a call that changes nothing', async () => {
    const account = await world.payments.newAccount('checked');
    const manager = world.gateway.identity.user({
      organizations: [{ id: caller.organizationId, scopes: ['provider_credentials.manage'] }],
    });
    const outcomes = [];
    for (const key of [account.secretKey, 'sk_test_thisKeyIsNotKnown00']) {
      const id = await world.addCredential(caller.organizationId, key);
      const checked = await request(world.gateway.service.url)
        .post(`/api/credentials/${id}/check`)
        .set('authorization', `Bearer ${manager}`);
      outcomes.push(checked.body.checkResult.outcome);
    }
    expect(outcomes).toEqual(['works', 'refused']);
  });

  it('opens the billing portal of a customer, and stores its address nowhere', async () => {
    const { body: customer } = await caller.post('/customers', { name: 'Acme' }).expect(201);
    const wanted = { customerId: customer.id, returnUrl: `${ORIGIN}/billing` };
    const first = await caller.post('/portal-sessions', wanted, 'portal-1').expect(201);
    const again = await caller.post('/portal-sessions', wanted, 'portal-1').expect(201);
    expect(again.body).toEqual(first.body);
    expect(first.body.url).toMatch(/\/p\/session\//);
    const rows = await world.gateway.test.database.query('SELECT * FROM gateway.payment_operation');
    expect(JSON.stringify(rows)).not.toContain('/p/session/');
    await caller.post('/portal-sessions', { ...wanted, returnUrl: 'https://evil.test' }).expect(400);
  });

  describe('with an idempotency key', () => {
    it('have one effect, and refuse another request', async () => {
      const [first, again] = [
        await caller.post('/products', { name: 'Once' }, 'key-1').expect(201),
        await caller.post('/products', { name: 'Once' }, 'key-1').expect(201),
      ];
      expect(again.body).toEqual(first.body);
      const { body } = await caller.post('/products', { name: 'Other' }, 'key-1').expect(422);
      expect(body.code).toBe('idempotency_key_reused');
      expect(await effects('product_created', 'Once')).toHaveLength(1);
      const other = await world.caller();
      await other.post('/products', { name: 'Once' }, 'key-1').expect(201);
      expect(await effects('product_created', 'Once')).toHaveLength(2);
    });

    it('have one effect from two replicas at once', async () => {
      const replica = await world.gateway.replica();
      const callers = [caller, caller.at(replica.url)];
      const sent = await Promise.all(
        [...callers, ...callers].map((each) => each.post('/products', { name: 'Race' }, 'key-2')),
      );
      expect(sent.map(({ status }) => status).sort()).toContain(201);
      expect(sent.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect(await effects('product_created', 'Race')).toHaveLength(1);
    });
  });

  describe('with the key of a request whose credential was removed since', () => {
    const remove = async () => {
      const account = await world.payments.newAccount('Removed');
      const id = await world.addCredential(caller.organizationId, account.secretKey);
      const platform = 'UPDATE gateway.credential SET enabled = $1 WHERE organization_id IS NULL';
      const { database } = world.gateway.test;
      return {
        async now() {
          await world.erase(id);
          await database.query(platform, [false]);
        },
        back: () => database.query(platform, [true]),
      };
    };

    it('return the stored results', async () => {
      const removal = await remove();
      const priceId = await caller.price();
      const items = [{ priceId, quantity: 1 }];
      const session = { mode: 'subscription', items, successUrl: `${ORIGIN}/done` };
      const { id, itemId } = await caller.subscription(world.payments, 2);
      const change = { quantity: 3, prorationBehavior: 'none' };
      const sent = [
        () => caller.post('/products', { name: 'Stored' }, 'product'),
        () => caller.post('/prices', { currency: 'EUR', unitAmount: 1, productData: { name: 'p' } }, 'price'),
        () => caller.post('/customers', { name: 'Stored' }, 'customer'),
        () => caller.post('/checkout-sessions', session, 'session'),
        () => caller.patch(`/subscriptions/${id}/items/${itemId}`, change, 'item'),
      ];
      const first = [];
      for (const send of sent) first.push(await send());
      expect(first.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200]);
      await removal.now();
      try {
        await caller.post('/products', { name: 'New' }).expect(422);
        for (const [index, send] of sent.entries()) {
          const { status, body } = await send();
          expect([status, body]).toEqual([first[index]?.status, first[index]?.body]);
        }
      } finally {
        await removal.back();
      }
    });

    it('say that the outcome is unknown, not that nothing happened', async () => {
      const removal = await remove();
      await world.fault('drop-after-effect', PRODUCT, { times: 2 });
      const lost = await caller.post('/products', { name: 'Effect' }, 'effect').expect(502);
      await removal.now();
      try {
        const again = await caller.post('/products', { name: 'Effect' }, 'effect').expect(502);
        expect(again.body).toMatchObject({
          code: 'payment_outcome_unknown',
          operationId: lost.body.operationId,
        });
      } finally {
        await removal.back();
      }
    });
  });

  it('do not know a customer that was deleted at the provider', async () => {
    const { body: customer } = await caller.post('/customers', { name: 'Leaving' }).expect(201);
    await world.payments.client().customers.del(customer.id);
    const { body } = await caller.get(`/customers/${customer.id}`).expect(404);
    expect(body.code).toBe('payment_object_not_found');
  });

  describe('when the response of the provider is lost', () => {
    it.each(['drop-after-effect', 'cut-answer', 'unreadable-answer'])(
      'after the effect (%s), the call is repeated with the same key: one effect, one result',
      async (kind) => {
        await world.fault(kind, PRODUCT);
        const { body } = await caller.post('/products', { name: kind }).expect(201);
        const found = await effects('product_created', kind);
        expect(found.map(({ id }) => id)).toEqual([body.id]);
        expect(found[0]?.hints['idempotency-key']).toMatch(/^gateway-[0-9a-f-]{36}$/);
      },
    );

    it('twice, the outcome is unknown until the caller repeats it: one effect', async () => {
      await world.fault('drop-after-effect', PRODUCT, { times: 2 });
      const lost = await caller.post('/products', { name: 'Lost twice' }, 'key-3').expect(502);
      expect(lost.body).toMatchObject({ code: 'payment_outcome_unknown', operationId: expect.any(String) });
      const { body } = await caller.post('/products', { name: 'Lost twice' }, 'key-3').expect(201);
      expect((await effects('product_created', 'Lost twice')).map(({ id }) => id)).toEqual([body.id]);
      const operation = await caller.get(`/operations/${lost.body.operationId}`).expect(200);
      expect(operation.body).toMatchObject({ state: 'done', objectId: body.id });
    });

    it('twice, the sweep finds out: one effect, by two replicas', async () => {
      await world.fault('drop-after-effect', PRODUCT, { times: 2 });
      const lost = await caller.post('/products', { name: 'Swept' }).expect(502);
      const replica = await world.gateway.replica();
      await world.gateway.test.database.query('UPDATE gateway.payment_operation SET due_at = now()');
      await Promise.all([world.sweep(), world.sweep(replica)]);
      const { body } = await caller.get(`/operations/${lost.body.operationId}`).expect(200);
      const found = await effects('product_created', 'Swept');
      expect(found).toHaveLength(1);
      expect(body).toMatchObject({ state: 'done', objectId: found[0]?.id });
      await caller.get(`/products/${found[0]?.id}`).expect(200);
    });

    it('before the effect, it is repeated and has one', async () => {
      await world.fault('drop-before-effect', PRODUCT);
      await caller.post('/products', { name: 'Before' }).expect(201);
      expect(await effects('product_created', 'Before')).toHaveLength(1);
    });

    it('as an error of the server, which the provider repeats for the key, the outcome stays unknown', async () => {
      await world.fault('server-error-after-effect', PRODUCT, { status: 500 });
      const { body } = await caller.post('/products', { name: 'Five hundred' }, 'key-4').expect(502);
      await caller.post('/products', { name: 'Five hundred' }, 'key-4').expect(502);
      expect(await effects('product_created', 'Five hundred')).toHaveLength(1);
      const { database } = world.gateway.test;
      await database.query(
        `UPDATE gateway.payment_operation SET due_at = now() - interval '1 minute',
        created_at = now() - interval '23 hours 1 second' WHERE id = $1`,
        [body.operationId],
      );
      await world.sweep();
      const operation = await caller.get(`/operations/${body.operationId}`).expect(200);
      expect(operation.body.state).toBe('unresolved');
      expect(await effects('product_created', 'Five hundred')).toHaveLength(1);
    });

    it('and the provider is never called again after 23 hours, because it forgets keys', async () => {
      await world.fault('drop-before-effect', PRODUCT, { times: 2 });
      await caller.post('/products', { name: 'Old' }, 'key-5').expect(502);
      await world.gateway.test.database.query(
        `UPDATE gateway.payment_operation SET created_at = now() - interval '23 hours 1 second' WHERE caller_key = 'key-5'`,
      );
      await caller.post('/products', { name: 'Old' }, 'key-5').expect(502);
      expect(await effects('product_created', 'Old')).toHaveLength(0);
    });
  });

  describe('whose outcome is unknown, when the credential has another key since', () => {
    const named = async (name: string) => {
      const account = await world.payments.newAccount(name);
      const credentialId = await world.addCredential(caller.organizationId, account.secretKey);
      return { ...account, credentialId };
    };
    /** An operation whose effect the provider had. @returns its id */
    const lost = async (name: string) => {
      await world.fault('drop-after-effect', PRODUCT, { times: 2 });
      const { body } = await caller.post('/products', { name }, name).expect(502);
      expect(await effects('product_created', name)).toHaveLength(1);
      return String(body.operationId);
    };
    const operation = async (id: string) => (await caller.get(`/operations/${id}`).expect(200)).body;
    const sweep = async (id: string) => {
      const { database } = world.gateway.test;
      await database.query('UPDATE gateway.payment_operation SET due_at = now() WHERE id = $1', [id]);
      await world.sweep();
    };

    it('of the same account, it goes on, with one effect: by the caller and by the sweep', async () => {
      const account = await named('Same-account');
      const id = await lost('Same-account');
      await world.rotate(account.credentialId, await world.payments.rollKey(account.id));
      const { body } = await caller.post('/products', { name: 'Same-account' }, 'Same-account').expect(201);
      expect(await operation(id)).toMatchObject({ state: 'done', objectId: body.id });
      const swept = await lost('Same-account-swept');
      await world.rotate(account.credentialId, await world.payments.rollKey(account.id));
      await sweep(swept);
      expect((await operation(swept)).state).toBe('done');
      for (const name of ['Same-account', 'Same-account-swept'])
        expect(await effects('product_created', name)).toHaveLength(1);
    });

    it('of another account, it is never repeated', async () => {
      const { credentialId } = await named('Left-account');
      const id = await lost('Left-account');
      await world.rotate(credentialId, (await world.payments.newAccount('Other')).secretKey);
      await caller.post('/products', { name: 'Left-account' }, 'Left-account').expect(502);
      expect((await operation(id)).state).toBe('unresolved');
      await sweep(id);
      await caller.post('/products', { name: 'Left-account' }, 'Left-account').expect(502);
      expect(await effects('product_created', 'Left-account')).toHaveLength(1);
      await caller.post('/products', { name: 'After the rotation' }).expect(201);
    });

    it('that may not read its account, it is never repeated; with the same restricted key it is', async () => {
      const account = await named('Restricted');
      const restricted = () => world.payments.rollKey(account.id, { restricted: true, keepOld: true });
      const id = await lost('Restricted');
      await world.rotate(account.credentialId, await restricted());
      await sweep(id);
      expect((await operation(id)).state).toBe('unresolved');
      const same = await lost('Restricted-same-key');
      await sweep(same);
      expect((await operation(same)).state).toBe('done');
      const former = await lost('Restricted-before');
      await world.rotate(account.credentialId, account.secretKey);
      await sweep(former);
      expect((await operation(former)).state).toBe('unresolved');
      for (const name of ['Restricted', 'Restricted-same-key', 'Restricted-before'])
        expect(await effects('product_created', name)).toHaveLength(1);
    });

    it('and the provider does not tell the account now, it waits', async () => {
      const account = await named('Silent');
      const id = await lost('Silent');
      await world.rotate(account.credentialId, await world.payments.rollKey(account.id));
      await world.fault('server-error-before-effect', 'GET /v1/account');
      await sweep(id);
      expect((await operation(id)).state).toBe('unknown');
      await sweep(id);
      expect((await operation(id)).state).toBe('done');
      expect(await effects('product_created', 'Silent')).toHaveLength(1);
    });

    it('because it was deleted and another one was created, that one is not used', async () => {
      const { credentialId } = await named('Deleted');
      const id = await lost('Deleted');
      await world.erase(credentialId);
      await named('Created instead');
      await caller.post('/products', { name: 'Deleted' }, 'Deleted').expect(502);
      await sweep(id);
      await caller.post('/products', { name: 'Deleted' }, 'Deleted').expect(502);
      expect((await operation(id)).state).toBe('unknown');
      expect(await effects('product_created', 'Deleted')).toHaveLength(1);
    });

    it('between the reading of the credential and the call, a repetition knows whose key was used', async () => {
      const { credentialId } = await named('In-between');
      const other = await world.payments.newAccount('Other-of-in-between');
      const credentials = world.gateway.service.app.get(PaymentCredentials, { strict: false });
      const open = credentials.open.bind(credentials);
      jest.spyOn(credentials, 'open').mockImplementationOnce(async (id) => {
        const opened = await open(id);
        await world.rotate(credentialId, other.secretKey);
        // As if the rotation had begun before the operation: its time is that of its transaction.
        await world.gateway.test.database.query(
          `UPDATE gateway.credential SET rotated_at = now() - interval '1 hour' WHERE id = $1`,
          [credentialId],
        );
        return opened;
      });
      const id = await lost('In-between');
      await sweep(id);
      expect((await operation(id)).state).toBe('unresolved');
      await caller.post('/products', { name: 'In-between' }, 'In-between').expect(502);
      expect(await effects('product_created', 'In-between')).toHaveLength(1);
    });
  });

  describe('when the provider refuses', () => {
    it('by limits, nothing is stored, and the key is free', async () => {
      await world.fault('rate-limited', PRODUCT);
      const { body, headers } = await caller.post('/products', { name: 'Limited' }, 'key-6').expect(429);
      expect([body.code, headers['retry-after']]).toEqual(['provider_rate_limited', '1']);
      await caller.post('/products', { name: 'Limited' }, 'key-6').expect(201);
    });

    it('by the key, it is a failure of the gateway', async () => {
      await world.fault('unauthorized', PRODUCT);
      const { body } = await caller.post('/products', { name: 'Key' }, 'key-7').expect(502);
      expect(body.code).toBe('provider_credential');
      await caller.post('/products', { name: 'Key' }, 'key-7').expect(201);
    });

    it('because another call with the key runs there, the outcome is unknown, and then that one’s', async () => {
      await world.fault('server-error-before-effect', PRODUCT, { status: 409, times: 2 });
      await caller.post('/products', { name: 'Busy' }, 'key-8').expect(502);
      await caller.post('/products', { name: 'Busy' }, 'key-8').expect(201);
      expect(await effects('product_created', 'Busy')).toHaveLength(1);
    });

    it('by the request, its code is returned, and again for the key', async () => {
      const { id, itemId } = await caller.subscription(world.payments, 1);
      const change = {
        ...{ quantity: 2, prorationBehavior: 'always_invoice' },
        prorationDate: '2020-01-01T00:00:00Z',
      };
      const path = `/subscriptions/${id}/items/${itemId}`;
      for (const _ of [1, 2]) {
        const { body } = await caller.patch(path, change, 'key-9').expect(422);
        expect(body).toMatchObject({ code: 'payment_refused', providerParam: 'proration_date' });
      }
    });

    it('is not reached, nothing was sent', async () => {
      const account = await world.payments.newAccount('unreachable');
      const other = await PaymentsWorld.open({ STRIPE_URL: 'http://127.0.0.1:1' });
      try {
        await other.addCredential(null, account.secretKey);
        const { body } = await (await other.caller()).post('/products', { name: 'x' }, 'key').expect(503);
        expect(body.code).toBe('provider_unreachable');
        const rows = await other.gateway.test.database.query('SELECT 1 FROM gateway.payment_operation');
        expect(rows).toEqual([]);
      } finally {
        await other.close();
      }
    });
  });
});
