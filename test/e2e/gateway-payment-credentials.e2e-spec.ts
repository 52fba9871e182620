import { createHmac, randomUUID } from 'node:crypto';
import request from 'supertest';
import { type PaymentsCaller, PaymentsWorld } from '../support/payments-world.js';
import { RowLock } from '../support/row-lock.js';
import { waitUntil } from '../support/wait-until.js';

const ITEM = 'POST /v1/subscription_items/:id';
const SECRET = 'whsec_ofTheOwnAccount0000000';

describe('credentials of payment accounts', () => {
  let world: PaymentsWorld;
  let caller: PaymentsCaller;
  let account: { readonly id: string; readonly secretKey: string };
  let credentialId: string;

  beforeAll(async () => {
    world = await PaymentsWorld.open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.sandbox.control('DELETE', '/faults');
    caller = await world.caller();
    account = await world.payments.newAccount('own');
    credentialId = await world.addCredential(caller.organizationId, account.secretKey, [SECRET]);
  });

  const metadata = () => ({
    gateway_organization: caller.organizationId,
    gateway_application: caller.headers['x-application-id'] ?? '',
    gateway_application_slug: 'social-publishing',
  });
  const product = async (name: string) =>
    String((await caller.post('/products', { name }).expect(201)).body.id);
  const event = (type: string, object: object): string => {
    const id = `evt_${randomUUID()}`;
    return JSON.stringify({ id, type, object: 'event', created: 1_700_000_000, data: { object } });
  };
  const receive = (id: string, body: string, secret = SECRET) => {
    const seconds = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return request(world.gateway.service.url)
      .post(`/api/payments/webhooks/stripe${id === '' ? '' : `/${id}`}`)
      .set({ 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${v1}` })
      .send(body);
  };
  const manager = () => {
    const scopes = ['provider_credentials.manage', 'usage.read'];
    return `Bearer ${world.gateway.identity.user({ organizations: [{ id: caller.organizationId, scopes }] })}`;
  };
  const http = () => request(world.gateway.service.url);

  it('of an organization are used for all that it sells, and those of the platform never in their place', async () => {
    const id = await product('Own product');
    await expect(world.payments.client(account.secretKey).products.retrieve(id)).resolves.toBeDefined();
    await expect(world.payments.client().products.retrieve(id)).rejects.toMatchObject({ statusCode: 404 });
    const before = (await world.payments.effects()).length;
    await world.change(credentialId, { enabled: false });
    const price = { currency: 'EUR', unitAmount: 1, productData: { name: 'x' } };
    for (const refused of [
      await caller.get(`/products/${id}`),
      await caller.post('/products', { name: 'Elsewhere' }),
      await caller.post('/prices', price),
      await caller.post('/customers', { name: 'Elsewhere' }),
    ])
      expect([refused.status, refused.body.code]).toEqual([422, 'no_credential']);
    expect(await world.payments.effects()).toHaveLength(before);
    await world.change(credentialId, { enabled: true });
    await caller.post('/products', { name: 'Own again' }).expect(201);
    const without = await world.caller();
    const { body } = await without.post('/products', { name: 'Of the platform' }).expect(201);
    await expect(world.payments.client().products.retrieve(body.id)).resolves.toBeDefined();
  });

  it('that are disabled or erased leave an object to another one of the account that has it', async () => {
    const id = await product('Replaced');
    const other = await world.addCredential(caller.organizationId, account.secretKey, [SECRET]);
    const updated = event('product.updated', { id, object: 'product', metadata: metadata() });
    await receive(other, updated).expect(200);
    await world.change(credentialId, { enabled: false });
    await caller.get(`/products/${id}`).expect(200);
    await world.erase(credentialId);
    await caller.get(`/products/${id}`).expect(200);
  });

  it('that are disabled still receive events of what was sold', async () => {
    const id = await product('Sold');
    await world.change(credentialId, { enabled: false });
    await receive(credentialId, event('product.updated', { id, object: 'product' })).expect(200);
    await waitUntil(() => world.receiver.received.some(({ body }) => body.object.id === id));
    await receive(credentialId, event('product.updated', { id, object: 'product' }), 'whsec_x').expect(400);
    await world.change(world.credentialId, { enabled: false });
    try {
      const ofPlatform = event('product.updated', { id: 'prod_any', object: 'product' });
      await receive('', ofPlatform, world.webhookSecret).expect(200);
    } finally {
      await world.change(world.credentialId, { enabled: true });
    }
  });

  it('that share a signing secret are of one account: its events find what was sold with another one', async () => {
    const id = await product('Sold before');
    await world.change(credentialId, { enabled: false });
    const other = await world.addCredential(caller.organizationId, account.secretKey, [SECRET]);
    await caller.get(`/products/${id}`).expect(422);
    await receive(credentialId, event('product.updated', { id, object: 'product' })).expect(200);
    await caller.get(`/products/${id}`).expect(200);
    const later = await product('Sold later');
    for (const endpoint of [credentialId, other])
      await receive(endpoint, event('product.updated', { id: later, object: 'product' })).expect(200);
    const relayed = (object: string) =>
      world.receiver.received.filter(({ body }) => body.object.id === object).length;
    await waitUntil(() => relayed(id) === 1 && relayed(later) === 2);
  });

  it('that share a signing secret get an event once, whichever of them is enabled or named', async () => {
    const id = await product('Signed by two');
    const other = await world.addCredential(caller.organizationId, account.secretKey, [SECRET]);
    const updated = () => event('product.updated', { id, object: 'product' });
    const isNew = async (endpoint: string, body: string) =>
      (await receive(endpoint, body).expect(200)).body.isNew as boolean;
    const [once, atOnce] = [updated(), updated()];
    expect([await isNew(credentialId, once), await isNew(other, once)]).toEqual([true, false]);
    await world.change(credentialId, { enabled: false });
    expect([await isNew(credentialId, once), await isNew(other, once)]).toEqual([false, false]);
    await world.change(credentialId, { enabled: true });
    const both = await Promise.all([isNew(credentialId, atOnce), isNew(other, atOnce)]);
    expect(both.sort()).toEqual([false, true]);
    await world.gateway.test.database.query(
      'UPDATE gateway.payment_event SET credential_id = $1 WHERE object_id = $2',
      [other, id],
    );
    expect(await isNew(credentialId, once)).toBe(false);
  });

  it('that share a signing secret share what an event names: an earlier event of any of them finds its owner', async () => {
    const other = await world.addCredential(caller.organizationId, account.secretKey, [SECRET]);
    const customer = `cus_${randomUUID()}`;
    await receive(other, event('customer.created', { id: customer, object: 'customer' })).expect(200);
    // As it was stored before they shared the secret.
    await world.gateway.test.database.query(
      'UPDATE gateway.payment_event SET credential_id = $1 WHERE object_id = $2',
      [other, customer],
    );
    const session = { id: `cs_${randomUUID()}`, object: 'checkout.session', customer, metadata: metadata() };
    await receive(credentialId, event('checkout.session.completed', session)).expect(200);
    await world.adopt();
    await waitUntil(() => world.receiver.received.some(({ body }) => body.object.id === customer));
  });

  it('cannot be deleted once objects were created with them', async () => {
    const remove = () => http().delete(`/api/credentials/${credentialId}`).set('authorization', manager());
    const id = await product('Sold');
    expect((await remove().expect(409)).body.code).toBe('credential_has_payments');
    await caller.get(`/products/${id}`).expect(200);
    const unused = await world.addCredential(caller.organizationId, account.secretKey);
    await http().delete(`/api/credentials/${unused}`).set('authorization', manager()).expect(204);
  });

  it('cannot be deleted while a call with them may have had its effect', async () => {
    await world.fault('drop-after-effect', 'POST /v1/products', { times: 2 });
    await caller.post('/products', { name: 'Lost' }, 'lost').expect(502);
    const remove = () => http().delete(`/api/credentials/${credentialId}`).set('authorization', manager());
    await remove().expect(409);
    const unresolved = await world.gateway.test.database.query(
      `UPDATE gateway.payment_operation SET state = 'unresolved' WHERE credential_id = $1 RETURNING id`,
      [credentialId],
    );
    expect(unresolved).toHaveLength(1);
    await remove().expect(409);
  });

  it('that are deleted while an operation begins are not used for it', async () => {
    const { test } = world.gateway;
    const lock = await RowLock.by(test, 'SELECT FROM gateway.credential WHERE id = $1 FOR UPDATE', [
      credentialId,
    ]);
    const erase = `UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = '' WHERE id = $1`;
    await lock.also(erase, [credentialId]);
    const [refused] = await lock.meanwhile([caller.post('/products', { name: 'Too late' })]);
    expect([refused?.status, refused?.body.code]).toEqual([422, 'no_credential']);
    const sql = 'SELECT id FROM gateway.payment_operation WHERE credential_id = $1';
    expect(await test.database.query(sql, [credentialId])).toEqual([]);
  });

  it('that the provider refuses are shown as failing until a call works', async () => {
    const failing = async () => {
      const { body } = await http().get('/api/widget').set('authorization', manager()).expect(200);
      return (body as { failingProviders: object[] }).failingProviders;
    };
    const id = await product('Refused');
    expect(await failing()).toEqual([]);
    await world.fault('unauthorized', 'GET /v1/products/:id');
    await caller.get(`/products/${id}`).expect(502);
    expect(await failing()).toMatchObject([{ provider: 'stripe', credential: 'own', reason: 'credential' }]);
    await caller.get(`/products/${id}`).expect(200);
    expect(await failing()).toEqual([]);
    await world.fault('unauthorized', 'POST /v1/products');
    await caller.post('/products', { name: 'Refused' }).expect(502);
    expect(await failing()).toHaveLength(1);
    await product('Works again');
    expect(await failing()).toEqual([]);
    // The key works, and has no permission for this call.
    await world.fault('forbidden', 'GET /v1/products/:id');
    await caller.get(`/products/${id}`).expect(502);
    expect(await failing()).toEqual([]);
  });

  it('of one account let one change of an object begin at a time', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 2);
    const path = `/subscriptions/${id}/items/${itemId}`;
    await world.fault('drop-before-effect', ITEM, { times: 2 });
    const change = { quantity: 5, prorationBehavior: 'none' };
    const { body: lost } = await caller.patch(path, change, 'five').expect(502);
    const other = await world.addCredential(caller.organizationId, account.secretKey);
    await world.gateway.test.database.query(
      `INSERT INTO gateway.payment_account_object (credential_id, id, application_id, application, organization_id)
       SELECT $1, id, application_id, application, organization_id FROM gateway.payment_account_object WHERE credential_id = $2`,
      [other, credentialId],
    );
    await world.change(credentialId, { enabled: false });
    const { body } = await caller.patch(path, { ...change, quantity: 3 }, 'three').expect(409);
    expect(body).toMatchObject({ code: 'payment_change_in_progress', operationId: lost.operationId });
    await caller.get(`/subscriptions/${id}`).expect(200);
  });
});
