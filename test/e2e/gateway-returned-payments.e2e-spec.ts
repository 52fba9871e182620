import request from 'supertest';
import { ORIGIN, type PaymentsCaller, PaymentsWorld } from '../support/payments-world.js';
import { waitUntil } from '../support/wait-until.js';

/** A refund and a dispute name neither the customer nor the owner, and a guest who paid once is no customer. */
describe('payments that are returned', () => {
  let world: PaymentsWorld;
  let caller: PaymentsCaller;

  beforeAll(async () => {
    world = await PaymentsWorld.open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.sandbox.configure('payments', { holdWebhooks: false });
    caller = await world.caller();
  });

  const relayed = () =>
    world.receiver.received
      .filter(({ body }) => body.organizationId === caller.organizationId)
      .map(({ body }) => body.type);
  const relayedAll = (...types: string[]) =>
    waitUntil(async () => {
      await world.adopt();
      return types.every((type) => relayed().includes(type));
    });
  const returned = async (intent: string) => {
    for (const action of ['dispute', 'refund'])
      expect(await world.payments.act(intent, action)).toMatchObject({ status: 200 });
  };
  /** A package that a guest bought. */
  const bought = async () => {
    const { body } = await caller
      .post('/checkout-sessions', {
        mode: 'payment',
        items: [{ priceId: await caller.price({ recurring: undefined }), quantity: 1 }],
        successUrl: `${ORIGIN}/done`,
      })
      .expect(201);
    await world.payments.pay(String((body as { url: string }).url));
    const session = await world.payments.client().checkout.sessions.retrieve(body.id);
    expect(session).toMatchObject({ status: 'complete', customer: null });
    return { id: String(body.id), intent: session.payment_intent as string };
  };
  const RETURNED = ['charge.dispute.created', 'refund.created', 'charge.refunded'];

  it('of a guest who paid once are relayed to the application that sold it', async () => {
    const { id, intent } = await bought();
    await returned(intent);
    await relayedAll('payment_intent.succeeded', 'charge.succeeded', ...RETURNED);
    const disputed = world.receiver.received.find(
      ({ body }) => body.object.type === 'dispute' && body.organizationId === caller.organizationId,
    );
    expect(disputed?.body.relatedIds).toEqual([intent, expect.stringMatching(/^ch_/)]);
    const session = await caller.get(`/checkout-sessions/${id}`).expect(200);
    expect(session.body).toMatchObject({ customerId: null, paymentIntentId: intent });
  });

  it('of a guest are its owner’s, also when the events of the payment were lost', async () => {
    await world.sandbox.configure('payments', { holdWebhooks: true });
    const { id, intent } = await bought();
    const before = (await world.payments.events()).length;
    await caller.get(`/checkout-sessions/${id}`).expect(200);
    await returned(intent);
    const events = (await world.payments.events()).slice(before);
    for (const event of events) await world.payments.deliver(event.id);
    await relayedAll(...RETURNED);
  });

  it('of a subscription are relayed, too', async () => {
    await caller.subscription(world.payments, 1);
    const [intent] = (await world.payments.events('payment_intent.succeeded')).slice(-1);
    await returned(intent?.data.object.id ?? '');
    await relayedAll(...RETURNED);
  });

  it('of a subscription are relayed, when its payment was known before its customer', async () => {
    await world.sandbox.configure('payments', { holdWebhooks: true });
    const before = (await world.payments.events()).length;
    const { body } = await caller
      .post('/checkout-sessions', {
        mode: 'subscription',
        items: [{ priceId: await caller.price(), quantity: 1 }],
        successUrl: `${ORIGIN}/done`,
      })
      .expect(201);
    await world.payments.pay(String((body as { url: string }).url));
    const events = (await world.payments.events()).slice(before);
    const paid = events.find(({ type }) => type === 'payment_intent.succeeded');
    await world.payments.deliver(paid?.id ?? '');
    await world.relay();
    expect(relayed()).not.toContain('payment_intent.succeeded');
    await caller.get(`/checkout-sessions/${body.id}`).expect(200);
    await relayedAll('payment_intent.succeeded');
    await world.payments.act(paid?.data.object.id ?? '', 'dispute');
    const [dispute] = (await world.payments.events('charge.dispute.created')).slice(-1);
    await world.payments.deliver(dispute?.id ?? '');
    await relayedAll('charge.dispute.created');
  });

  it('of another system that has the same account are counted, and listed for platform administrators', async () => {
    const stripe = world.payments.client();
    const { id } = await stripe.products.create({ name: 'Of another system' });
    const page = async () => (await fetch(`${world.gateway.service.managementUrl}/metrics`)).text();
    await waitUntil(async () => /gateway_payment_events{state="unknown"} [1-9]/.test(await page()));
    const admin = world.gateway.identity.user({
      principalType: 'platform_admin',
      organizations: [{ id: world.gateway.identity.organization(), isAdministrative: true }],
    });
    const list = (state: string) =>
      request(world.gateway.service.url)
        .get(`/api/payments/undelivered-events${state}`)
        .set('authorization', `Bearer ${admin}`);
    const { body } = await list('?state=unknown').expect(200);
    const found = (body as { data: { objectId: string }[] }).data.find(({ objectId }) => objectId === id);
    expect(found).toMatchObject({ type: 'product.created', application: null, organizationId: null });
    expect((await list('').expect(200)).body.data).toEqual([]);
  });
});
