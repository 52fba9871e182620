import { createHmac, randomUUID } from 'node:crypto';
import request from 'supertest';
import { type PaymentsCaller, PaymentsWorld } from '../support/payments-world.js';
import { Executions } from '../../src/platform/gateway/payments/operations/executions.js';
import { OperationsStore } from '../../src/platform/gateway/payments/operations/operations.store.js';
import { RelayStore } from '../../src/platform/gateway/payments/relay/relay.store.js';
import { EventsSweep } from '../../src/platform/gateway/payments/webhooks/events.sweep.js';
import { RowLock } from '../support/row-lock.js';
import { waitUntil } from '../support/wait-until.js';

const WEBHOOK = '/api/payments/webhooks/stripe';

describe('events of the payment provider', () => {
  let world: PaymentsWorld;
  let caller: PaymentsCaller;

  beforeAll(async () => {
    world = await PaymentsWorld.open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.sandbox.control('PUT', '/payments/settings', { holdWebhooks: false });
    caller = await world.caller();
    world.receiver.status = 200;
  });

  const rowsOf = (objectId: string) =>
    world.gateway.test.database.query<{ type: string; state: string; attempts: number; event_id: string }>(
      'SELECT type, state, attempts, event_id FROM gateway.payment_event WHERE object_id = $1 ORDER BY id',
      [objectId],
    );
  const delivered = (objectId: string) =>
    waitUntil(async () => (await rowsOf(objectId)).some(({ state }) => state === 'delivered'));
  const relayedOf = (objectId: string) =>
    world.receiver.received.filter(({ body }) => body.object.id === objectId);
  const eventOf = async (objectId: string) => {
    const [event] = (await world.payments.events()).filter(({ data }) => data.object.id === objectId);
    if (!event) throw new Error('The provider has no such event.');
    return event;
  };
  const held = async (name: string) => {
    await world.sandbox.control('PUT', '/payments/settings', { holdWebhooks: true });
    const { body } = await caller.post('/products', { name }).expect(201);
    return String((body as { id: string }).id);
  };
  const signed = (path: string, secret: string, body: string) => {
    const seconds = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return request(world.gateway.service.url)
      .post(path)
      .set({ 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${v1}` })
      .send(body);
  };
  /** A price that no organization of the gateway owns. */
  const foreign = async (): Promise<string> => {
    const stripe = world.payments.client();
    return (await stripe.products.create({ name: 'Of another system' })).id;
  };

  it('are relayed to the application that owns the object, signed, once', async () => {
    const { body } = await caller.post('/products', { name: 'Relayed' }).expect(201);
    await delivered(body.id);
    const event = await eventOf(body.id);
    expect(relayedOf(body.id)).toEqual([
      {
        id: event.id,
        isSigned: true,
        body: {
          id: event.id,
          type: 'product.created',
          occurredAt: expect.any(String),
          object: { type: 'product', id: body.id },
          relatedIds: [],
          organizationId: caller.organizationId,
          applicationId: caller.headers['x-application-id'],
        },
      },
    ]);
  });

  it('of a subscription that a checkout started are its owner’s, with everything it created', async () => {
    const { id } = await caller.subscription(world.payments, 2);
    await delivered(id);
    expect(relayedOf(id).map(({ body }) => body.type)).toContain('customer.subscription.created');
    const subscription = await caller.get(`/subscriptions/${id}`).expect(200);
    await caller.get(`/customers/${subscription.body.customerId}`).expect(200);
    const { customerId } = subscription.body as { customerId: string };
    // The event of the customer arrived before it was known whose it is.
    await world.adopt();
    await delivered(customerId);
  });

  it('that are sent again are stored and relayed once', async () => {
    const { body } = await caller.post('/products', { name: 'Replayed' }).expect(201);
    await delivered(body.id);
    const event = await eventOf(body.id);
    for (const isNew of [false, false]) {
      const [attempt] = await world.payments.deliver(event.id);
      expect([attempt?.status, JSON.parse(attempt?.body ?? '')]).toEqual([200, { isNew }]);
    }
    expect(await rowsOf(body.id)).toHaveLength(1);
    expect(relayedOf(body.id)).toHaveLength(1);
  });

  it('that an organization signs for its own account settle no operation of another account', async () => {
    const { database } = world.gateway.test;
    const operationId = randomUUID();
    await database.query(
      `INSERT INTO gateway.payment_operation
         (id, application_id, application, organization_id, credential_id, kind, request_hash, state, due_at)
       VALUES ($1, $2, 'payment', $3, $4, 'product.create', 'hash', 'running', now() + interval '1 hour')`,
      [operationId, randomUUID(), randomUUID(), randomUUID()],
    );
    const scopes = ['provider_credentials.manage'];
    const manager = world.gateway.identity.user({ organizations: [{ id: randomUUID(), scopes }] });
    const webhookSecret = 'whsec_ofTheOrganizationItself0';
    const { body: credential } = await request(world.gateway.service.url)
      .post('/api/credentials')
      .set('authorization', `Bearer ${manager}`)
      .send({
        provider: 'stripe',
        label: 'Own',
        secret: { key: 'sk_test_ofTheOrganization0', webhookSecrets: [webhookSecret] },
      })
      .expect(201);
    const seconds = Math.floor(Date.now() / 1000);
    const event = JSON.stringify({
      object: 'event',
      id: `evt_${randomUUID()}`,
      type: 'product.created',
      created: seconds,
      data: { object: { object: 'product', id: 'prod_forged' } },
      request: { idempotency_key: `gateway-${operationId}` },
    });
    const mac = createHmac('sha256', webhookSecret).update(`${seconds}.${event}`).digest('hex');
    await request(world.gateway.service.url)
      .post(`${WEBHOOK}/${credential.id}`)
      .set({ 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${mac}` })
      .send(event)
      .expect(200);
    const sql = 'SELECT object_id FROM gateway.payment_operation WHERE id = $1';
    expect(await database.query(sql, [operationId])).toEqual([{ object_id: null }]);
  });

  it('that two replicas get at once are stored once', async () => {
    const replica = await world.gateway.replica();
    const id = await held('At once');
    const event = await eventOf(id);
    const body = JSON.stringify({ ...event, object: 'event', created: 1_700_000_000 });
    const seconds = Math.floor(Date.now() / 1000);
    const signature = `t=${seconds},v1=${createHmac('sha256', world.webhookSecret).update(`${seconds}.${body}`).digest('hex')}`;
    const urls = [world.gateway.service.url, replica.url, world.gateway.service.url, replica.url];
    const responses = await Promise.all(
      urls.map((url) =>
        request(url)
          .post(WEBHOOK)
          .set({ 'content-type': 'application/json', 'stripe-signature': signature })
          .send(body),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(responses.filter(({ body: { isNew } }) => isNew === true)).toHaveLength(1);
    await delivered(id);
    await Promise.all([world.relay(), world.relay(replica)]);
    expect(relayedOf(id)).toHaveLength(1);
  });

  it.each([
    ['signed with another secret', { forged: 'secret' }],
    ['changed after they were signed', { forged: 'body' }],
    ['301 seconds old', { ageSeconds: 302 }],
    ['301 seconds in the future', { ageSeconds: -302 }],
  ])('that are %s are refused and not stored', async (_, distortion) => {
    const id = await held('Forged');
    const [attempt] = await world.payments.deliver((await eventOf(id)).id, distortion);
    expect(attempt?.status).toBe(400);
    expect(JSON.parse(attempt?.body ?? '')).toMatchObject({ code: 'webhook_not_authentic' });
    expect(await rowsOf(id)).toEqual([]);
  });

  it('that are late by days, or out of order, are accepted: the state is read from the provider', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 1);
    await delivered(id);
    await world.sandbox.control('PUT', '/payments/settings', { holdWebhooks: true });
    const path = `/subscriptions/${id}/items/${itemId}`;
    for (const quantity of [2, 3])
      await caller.patch(path, { quantity, prorationBehavior: 'none' }).expect(200);
    const before = relayedOf(id).length;
    await world.sandbox.control('POST', '/payments/deliveries/release', { order: 'reversed' });
    await waitUntil(() => Promise.resolve(relayedOf(id).length === before + 2));
    expect((await caller.get(`/subscriptions/${id}`)).body.items[0].quantity).toBe(3);
  });

  it('of unknown objects are stored and not relayed', async () => {
    const id = await foreign();
    await waitUntil(async () => (await rowsOf(id)).length === 1);
    await world.relay();
    expect(await rowsOf(id)).toMatchObject([{ state: 'unknown', attempts: 0 }]);
    expect(relayedOf(id)).toEqual([]);
  });

  const received = async (id: string, ago: string) => {
    await waitUntil(async () => (await rowsOf(id)).length === 1);
    await world.gateway.test.database.query(
      'UPDATE gateway.payment_event SET received_at = now() - $2::interval WHERE object_id = $1',
      [id, ago],
    );
  };
  const becomesOwned = (id: string, ago: string) =>
    world.gateway.test.database.query(
      `INSERT INTO gateway.payment_account_object (credential_id, id, application_id, application, organization_id, created_at)
       VALUES ($1, $2, $3, 'social-publishing', $4, now() - $5::interval)`,
      [world.credentialId, id, caller.headers['x-application-id'], caller.organizationId, ago],
    );

  it('whose owner becomes known within three days are relayed then', async () => {
    const [known, late] = [await foreign(), await foreign()];
    await received(known, '2 days 23 hours');
    await received(late, '3 days 1 hour');
    await world.adopt();
    for (const id of [known, late]) await becomesOwned(id, '1 second');
    await world.adopt();
    await delivered(known);
    expect(relayedOf(known)).toMatchObject([{ body: { organizationId: caller.organizationId } }]);
    expect(await rowsOf(late)).toMatchObject([{ state: 'unknown' }]);
  });

  it('whose owner became known while no replica ran are relayed by the next one', async () => {
    const id = await foreign();
    await received(id, '2 days');
    await becomesOwned(id, '1 day');
    await world.adopt();
    expect(await rowsOf(id)).toMatchObject([{ state: 'unknown' }]);
    await world.gateway.replica();
    await delivered(id);
  });

  it('that wait are in the metrics, as operations without a known outcome', async () => {
    const { database } = world.gateway.test;
    const page = async () => (await fetch(`${world.gateway.service.managementUrl}/metrics`)).text();
    world.receiver.status = 500;
    const { body } = await caller.post('/products', { name: 'Waits' }).expect(201);
    await waitUntil(async () => (await rowsOf(body.id)).length === 1);
    await waitUntil(async () => /gateway_payment_events{state="waiting"} [1-9]/.test(await page()));
    expect(await page()).toMatch(/gateway_payment_events_oldest_seconds \d/);
    world.receiver.status = 200;
    await database.query('UPDATE gateway.payment_event SET due_at = now() WHERE object_id = $1', [body.id]);
    await delivered(body.id);
    // Others of this file may be unknown too, until the sweep repeats them.
    const isCounted = async () => {
      const shown = /gateway_payment_operations{state="unknown"} (\d+)/.exec(await page())?.[1];
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM gateway.payment_operation WHERE state = 'unknown'`,
      );
      return Number(shown) === row?.count;
    };
    await world.fault('drop-after-effect', 'POST /v1/products', { times: 2 });
    await caller.post('/products', { name: 'Unknown' }, 'in-metrics').expect(502);
    await waitUntil(isCounted);
    await caller.post('/products', { name: 'Unknown' }, 'in-metrics').expect(201);
    await waitUntil(isCounted);
  });

  it('with metadata that name another organization are not accepted from an own account', async () => {
    const victim = await world.caller();
    const account = await world.payments.newAccount('attacker');
    const own = world.payments.client(account.secretKey);
    const secret = 'whsec_0123456789abcdef0123';
    const credentialId = await world.addCredential(caller.organizationId, account.secretKey, [secret]);
    const product = await own.products.create({
      name: 'Not theirs',
      metadata: {
        gateway_organization: victim.organizationId,
        gateway_application: victim.headers['x-application-id'] ?? '',
        gateway_application_slug: 'social-publishing',
      },
    });
    const body = JSON.stringify({
      ...{ id: `evt_${randomUUID()}`, object: 'event', created: 1_700_000_000, type: 'product.created' },
      data: { object: product },
    });
    const seconds = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    const send = (path: string) =>
      request(world.gateway.service.url)
        .post(path)
        .set({ 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${v1}` })
        .send(body);
    await send(WEBHOOK).expect(400);
    await send(`${WEBHOOK}/${credentialId}`).expect(200);
    expect(await rowsOf(product.id)).toMatchObject([{ state: 'unknown' }]);
    await victim.get(`/products/${product.id}`).expect(404);
  });

  it('of an own account take no object of another account from its owner', async () => {
    const account = await world.payments.newAccount('first');
    const secret = 'whsec_0123456789abcdef0124';
    const claiming = await world.caller();
    const credentialId = await world.addCredential(claiming.organizationId, account.secretKey, [secret]);
    await world.sandbox.control('PUT', '/payments/settings', { holdWebhooks: true });
    const metadata = (of: PaymentsCaller) => ({
      gateway_organization: of.organizationId,
      gateway_application: of.headers['x-application-id'] ?? '',
      gateway_application_slug: 'social-publishing',
    });
    const product = await world.payments.client().products.create({
      name: 'Claimed',
      metadata: metadata(caller),
    });
    const event = {
      ...{ id: `evt_${randomUUID()}`, object: 'event', created: 1_700_000_000, type: 'product.created' },
      data: { object: { id: product.id, object: 'product', metadata: metadata(claiming) } },
    };
    await signed(`${WEBHOOK}/${credentialId}`, secret, JSON.stringify(event)).expect(200);
    const [attempt] = await world.payments.deliver((await eventOf(product.id)).id);
    expect(attempt?.status).toBe(200);
    await caller.get(`/products/${product.id}`).expect(200);
    await claiming.get(`/products/${product.id}`).expect(404);
    const prices = (of: PaymentsCaller) =>
      of.post('/prices', { currency: 'EUR', unitAmount: 1, productId: product.id });
    await prices(caller).expect(201);
    await prices(claiming).expect(422);
  });

  it('are stored while the result of their operation is stored: neither waits for the other for ever', async () => {
    await world.sandbox.control('PUT', '/payments/settings', { holdWebhooks: true });
    await world.fault('drop-after-effect', 'POST /v1/products', { times: 2 });
    const lost = await caller.post('/products', { name: 'Two writers' }).expect(502);
    const { operationId } = lost.body as { operationId: string };
    const { app, test } = { app: world.gateway.service.app, test: world.gateway.test };
    await test.database.query('UPDATE gateway.payment_operation SET due_at = now() WHERE id = $1', [
      operationId,
    ]);
    const taken = await app.get(OperationsStore, { strict: false }).takeDue(100);
    const operation = taken.find(({ id }) => id === operationId);
    if (!operation) throw new Error('The operation is not due.');
    const [effect] = (await world.payments.effects('product_created')).filter(
      ({ text }) => text === 'Two writers',
    );
    const lock = await RowLock.by(test, 'SELECT 1 FROM gateway.payment_operation WHERE id = $1 FOR UPDATE', [
      operationId,
    ]);
    const finished = app.get(Executions, { strict: false }).execute(operation);
    await lock.waitedFor();
    const event = await eventOf(effect?.id ?? '');
    const [result, [attempt]] = (await lock.meanwhile<unknown>([
      finished,
      world.payments.deliver(event.id),
    ])) as [{ id: string }, { status: number; body: string }[]];
    expect([result.id, attempt?.status]).toEqual([effect?.id, 200]);
    const { body } = await caller.get(`/operations/${operationId}`).expect(200);
    expect(body).toMatchObject({ state: 'done', objectId: effect?.id });
  });

  describe('while the receiver hangs', () => {
    let answer: () => void;

    /** More of the organization than fit into several claims, and due before any other. */
    const hang = async () => {
      const answered = new Promise<void>((resolve) => (answer = resolve));
      world.receiver.ready = (id) => (id.startsWith('evt_hanging_') ? answered : Promise.resolve());
      await world.gateway.test.database.query(
        `INSERT INTO gateway.payment_event
           (id, credential_id, event_id, type, occurred_at, object_type, object_id, refs, application_id, application, organization_id, state, due_at)
         SELECT gen_random_uuid(), $1, 'evt_hanging_' || n, 'product.updated', now(), 'product', 'prod_hanging', '{}', $2, 'social-publishing', $3, 'waiting',
                now() - interval '1 hour' FROM generate_series(1, 200) AS n`,
        [world.credentialId, caller.headers['x-application-id'], caller.organizationId],
      );
      await waitUntil(() => relayedOf('prod_hanging').length > 0);
    };
    const expectHanging = async () =>
      expect(await rowsOf('prod_hanging')).not.toContainEqual(
        expect.objectContaining({ state: 'delivered' }),
      );
    afterEach(async () => {
      await world.gateway.test.database.query(
        `DELETE FROM gateway.payment_event WHERE object_id = 'prod_hanging'`,
      );
      world.receiver.ready = () => Promise.resolve();
      answer();
    });

    it('those of another application do not wait for it', async () => {
      await hang();
      const other = await world.otherApplication(caller.organizationId);
      const { body } = await other.post('/products', { name: 'Of the other one' }).expect(201);
      await delivered(body.id);
      await expectHanging();
      expect(world.otherReceiver.received.map((each) => each.body.object.id)).toContain(body.id);
    });

    it('on those of one organization, those of another one do not wait', async () => {
      await hang();
      const other = await world.caller();
      for (const name of ['One', 'Two', 'Three']) {
        const { body } = await other.post('/products', { name }).expect(201);
        await delivered(body.id);
      }
      await expectHanging();
    });
  });

  it('are claimed in turn: of the organization with the fewest now, then of the one that used the least time', async () => {
    const { database } = world.gateway.test;
    const [slow, fast] = [randomUUID(), randomUUID()];
    await database.query(
      `INSERT INTO gateway.payment_event
         (id, credential_id, event_id, type, occurred_at, object_type, refs, application_id, application, organization_id, state, due_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'evt_' || n, 'product.updated', now(), 'product', '{}', gen_random_uuid(), 'in-turn',
              owner, 'waiting', now() - minutes * interval '1 minute'
         FROM (VALUES ($1::uuid, 60), ($2::uuid, 1)) AS o (owner, minutes), generate_series(1, 4) AS n`,
      [slow, fast],
    );
    const claimed = async (turn: Partial<Parameters<RelayStore['claim']>[1]>) =>
      (
        await new RelayStore(database).claim('in-turn', { limit: 1, busy: [], used: [], ofOne: 9, ...turn })
      ).map(({ organizationId }) => (organizationId === slow ? 'slow' : 'fast'));
    expect(await claimed({})).toEqual(['slow']);
    expect(await claimed({ used: [fast, slow] })).toEqual(['fast']);
    expect(await claimed({ used: [slow], busy: [fast] })).toEqual(['slow']);
    expect((await claimed({ limit: 9, busy: [slow, slow], ofOne: 3 })).toSorted()).toEqual([
      'fast',
      'fast',
      'fast',
      'slow',
    ]);
    await database.query(`DELETE FROM gateway.payment_event WHERE application = 'in-turn'`);
  });

  it('are deleted 30 days after they arrived, given up ones after 180, and never those that wait', async () => {
    const { app, test } = { app: world.gateway.service.app, test: world.gateway.test };
    const stored = (ago: string, count: number) =>
      test.database.query(
        `INSERT INTO gateway.payment_event
           (id, credential_id, event_id, type, occurred_at, object_type, object_id, refs, application_id, application, organization_id, state, received_at, due_at)
         SELECT gen_random_uuid(), $1, 'evt_' || state || n || $2::text, 'product.updated', now(), 'product', 'prod_' || $2::text, '{}',
                gen_random_uuid(), 'nowhere', gen_random_uuid(), state, now() - $2::interval, now() + interval '1 day'
           FROM generate_series(1, $3) AS n, unnest('{unknown,waiting,delivered,dead}'::text[]) AS state`,
        [world.credentialId, ago, count],
      );
    const counted = (ago: string) =>
      test.database.query(
        `SELECT state, count(*)::int AS count FROM gateway.payment_event WHERE object_id = 'prod_' || $1::text
          GROUP BY state ORDER BY state`,
        [ago],
      );
    await stored('29 days 23 hours', 1);
    await stored('30 days 1 hour', 1_100);
    await stored('180 days 1 hour', 1);
    const replica = await world.gateway.replica();
    await Promise.all([app, replica.app].map((each) => each.get(EventsSweep, { strict: false }).sweep()));
    expect(await counted('29 days 23 hours')).toHaveLength(4);
    expect(await counted('30 days 1 hour')).toEqual([
      { state: 'dead', count: 1_100 },
      { state: 'waiting', count: 1_100 },
    ]);
    expect(await counted('180 days 1 hour')).toEqual([{ state: 'waiting', count: 1 }]);
    await test.database.query(`DELETE FROM gateway.payment_event WHERE application = 'nowhere'`);
  });

  it('of 10 MB are refused, and signed JSON that is no event too', async () => {
    const body = JSON.stringify({ object: 'event', id: 'evt_1', padding: 'x'.repeat(10_000_000) });
    await signed(WEBHOOK, world.webhookSecret, body).expect(413);
    await signed(WEBHOOK, world.webhookSecret, '{}').expect(400);
  });

  it('that are thin are acknowledged by their signature, and not stored', async () => {
    const thin = {
      object: 'v2.core.event',
      id: 'evt_test_65Qd2gZ',
      type: 'v1.billing.meter.error_report_triggered',
      created: '2026-11-28T10:00:00.000Z',
      livemode: false,
      related_object: { id: 'mtr_1', type: 'billing.meter', url: '/v1/billing/meters/mtr_1' },
    };
    await signed(WEBHOOK, world.webhookSecret, JSON.stringify(thin)).expect(200, { isNew: false });
    await signed(WEBHOOK, 'whsec_anotherSecretOfTheTests', JSON.stringify(thin)).expect(400);
  });

  it('are accepted with the former and the next secret while one is replaced', async () => {
    const id = await held('Rotated');
    const { data } = await world.payments.client().webhookEndpoints.list();
    const path = `/payments/webhook-endpoints/${data[0]?.id}/roll`;
    await world.sandbox.control('POST', path, { keepOld: true });
    const [attempt] = await world.payments.deliver((await eventOf(id)).id);
    expect(attempt?.status).toBe(200);
  });

  it('that their application refuses are sent again later, and listed when they are given up', async () => {
    world.receiver.status = 503;
    const { body } = await caller.post('/products', { name: 'Dead' }).expect(201);
    await waitUntil(async () => (await rowsOf(body.id))[0]?.attempts === 1);
    const { database } = world.gateway.test;
    await database.query(
      'UPDATE gateway.payment_event SET attempts = 17, due_at = now() WHERE object_id = $1',
      [body.id],
    );
    await waitUntil(async () => (await rowsOf(body.id))[0]?.state === 'dead');
    const admin = world.gateway.identity.user({
      principalType: 'platform_admin',
      organizations: [{ id: world.gateway.identity.organization(), isAdministrative: true }],
    });
    const member = world.gateway.identity.user({ organizations: [{ id: caller.organizationId }] });
    const list = '/api/payments/undelivered-events';
    const http = request(world.gateway.service.url);
    await http.get(list).set('authorization', `Bearer ${member}`).expect(403);
    const listed = await http.get(list).set('authorization', `Bearer ${admin}`).expect(200);
    const entry = (listed.body as { data: { id: string; objectId: string }[] }).data.find(
      ({ objectId }) => objectId === body.id,
    );
    expect(entry).toMatchObject({ application: 'social-publishing', attempts: 18, lastOutcome: '503' });
    world.receiver.status = 200;
    const resend = `${list}/${entry?.id}/resend`;
    await http.post(resend).set('authorization', `Bearer ${admin}`).expect(204);
    await delivered(body.id);
    await http.post(resend).set('authorization', `Bearer ${admin}`).expect(404);
  });

  it('show the effect of an operation whose response the provider keeps as an error', async () => {
    const fault = { status: 500, times: 1 };
    await world.fault('server-error-after-effect', 'POST /v1/products', fault);
    const lost = await caller.post('/products', { name: 'Shown by the event' }).expect(502);
    const effect = (await world.payments.effects('product_created')).find(
      ({ text }) => text === 'Shown by the event',
    );
    await waitUntil(async () => (await rowsOf(effect?.id ?? '')).length === 1);
    const { body } = await caller.get(`/operations/${lost.body.operationId}`).expect(200);
    expect(body).toMatchObject({ state: 'unknown', objectId: effect?.id });
    await caller.get(`/products/${effect?.id}`).expect(200);
  });

  it.each([
    ['without a signature', {}, 400],
    ['with a signature that is unreadable', { 'stripe-signature': 'x' }, 400],
    ['with another media type', { 'content-type': 'text/plain', 'stripe-signature': 't=1,v1=00' }, 415],
  ])('%s are refused', async (_, headers, status) => {
    await request(world.gateway.service.url)
      .post(WEBHOOK)
      .set({ 'content-type': 'application/json', ...headers })
      .send('{}')
      .expect(status);
  });
});
