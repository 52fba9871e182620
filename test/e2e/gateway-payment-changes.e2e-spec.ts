import { jest } from '@jest/globals';
import { PaymentReads } from '../../src/platform/gateway/payments/payment-reads.js';
import { type PaymentsCaller, PaymentsWorld } from '../support/payments-world.js';

const ITEM = 'POST /v1/subscription_items/:id';
const INVOICED = { prorationBehavior: 'always_invoice' };

/** Each change is charged at once, so that a change that is applied twice or in the wrong order costs money. */
describe('changes of a subscription', () => {
  let world: PaymentsWorld;
  let caller: PaymentsCaller;
  let subscription: { readonly id: string; readonly itemId: string };
  let path: string;
  /** Charges before the changes. */
  let paid: number;

  beforeAll(async () => {
    world = await PaymentsWorld.open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.sandbox.control('DELETE', '/faults');
    caller = await world.caller();
    subscription = await caller.subscription(world.payments, 2);
    path = `/subscriptions/${subscription.id}/items/${subscription.itemId}`;
    paid = (await world.payments.effects('charged')).length;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.sandbox.configure('payments', { holdWebhooks: false });
  });

  const quantity = async (): Promise<number> =>
    (await caller.get(`/subscriptions/${subscription.id}`).expect(200)).body.items[0].quantity;
  /** Quantities in the order in which the provider applied them. */
  const applied = async () =>
    (await world.payments.effects('subscription_updated'))
      .filter(({ id }) => id === subscription.id)
      .map(({ text }) => Number(text));
  const charges = async () => (await world.payments.effects('charged')).length - paid;
  const sweep = async () => {
    await world.gateway.test.database.query('UPDATE gateway.payment_operation SET due_at = now()');
    await world.sweep();
  };
  const lose = (kind: string, times: number) => world.fault(kind, ITEM, { times });
  const state = async (operationId: string) =>
    (await caller.get(`/operations/${operationId}`).expect(200)).body.state as string;

  it('wait for an older one with an unknown outcome, which never overwrites them', async () => {
    await lose('drop-before-effect', 2);
    const lost = await caller.patch(path, { quantity: 5, ...INVOICED }, 'five').expect(502);
    const { operationId } = lost.body as { operationId: string };
    const newer = () => caller.patch(path, { quantity: 3, ...INVOICED }, 'three');
    expect((await newer().expect(409)).body).toMatchObject({
      code: 'payment_change_in_progress',
      operationId,
    });
    await sweep();
    expect(await state(operationId)).toBe('done');
    await newer().expect(200);
    await sweep();
    expect([await applied(), await quantity(), await charges()]).toEqual([[5, 3], 3, 1]);
  });

  it('of the price keep a quantity that another replica sets at the same time', async () => {
    const priceId = await caller.price({ unitAmount: 2_000 });
    const replica = await world.gateway.replica();
    const reads = world.gateway.service.app.get(PaymentReads, { strict: false });
    const read = reads.subscriptionItem.bind(reads);
    let other = 0;
    jest.spyOn(reads, 'subscriptionItem').mockImplementationOnce(async (...given) => {
      const item = await read(...given);
      other = (await caller.at(replica.url).patch(path, { quantity: 6, ...INVOICED })).status;
      return item;
    });
    await caller.patch(path, { priceId, ...INVOICED }).expect(200);
    expect([other, await quantity()]).toEqual([409, 2]);
    await caller
      .at(replica.url)
      .patch(path, { quantity: 6, ...INVOICED })
      .expect(200);
    expect(await applied()).toEqual([2, 6]);
  });

  it('of two replicas at once are applied as often as they succeed', async () => {
    const replica = await world.gateway.replica();
    const callers = [caller, caller.at(replica.url), caller, caller.at(replica.url)];
    const sent = await Promise.all(
      callers.map((each, index) => each.patch(path, { quantity: 3 + index, ...INVOICED })),
    );
    const succeeded = sent.filter(({ status }) => status === 200);
    expect(sent.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(succeeded.length).toBeGreaterThan(0);
    expect(await applied()).toHaveLength(succeeded.length);
    expect((await applied()).at(-1)).toBe(await quantity());
  });

  it('with one key from two replicas at once are applied and charged once', async () => {
    const replica = await world.gateway.replica();
    const callers = [caller, caller.at(replica.url), caller, caller.at(replica.url)];
    const change = { quantity: 9, ...INVOICED };
    const sent = await Promise.all(callers.map((each) => each.patch(path, change, 'nine')));
    expect(sent.every(({ status }) => status === 200 || status === 409)).toBe(true);
    await caller.patch(path, change, 'nine').expect(200);
    expect([await applied(), await charges()]).toEqual([[9], 1]);
  });

  it.each(['drop-after-effect', 'cut-answer', 'unreadable-answer'])(
    'whose response is lost after the effect (%s) are charged once',
    async (kind) => {
      await lose(kind, 1);
      const { body } = await caller.patch(path, { quantity: 5, ...INVOICED }).expect(200);
      expect(body.item.quantity).toBe(5);
      expect([await applied(), await charges()]).toEqual([[5], 1]);
    },
  );

  it.each(['caller', 'sweep'])(
    'whose response is lost twice are charged once, found out by the %s',
    async (by) => {
      await lose('drop-after-effect', 2);
      const change = { quantity: 5, ...INVOICED };
      const lost = await caller.patch(path, change, by).expect(502);
      if (by === 'sweep') await sweep();
      await caller.patch(path, change, by).expect(200);
      expect(await state(lost.body.operationId)).toBe('done');
      expect([await applied(), await charges()]).toEqual([[5], 1]);
    },
  );

  it('are possible as soon as an event shows that the unknown one had its effect', async () => {
    await world.sandbox.configure('payments', { holdWebhooks: true });
    await world.fault('server-error-after-effect', ITEM, { status: 500 });
    const lost = await caller.patch(path, { quantity: 5, ...INVOICED }, 'kept').expect(502);
    const newer = () => caller.patch(path, { quantity: 3, ...INVOICED });
    await newer().expect(409);
    const events = await world.payments.events('customer.subscription.updated');
    const key = `gateway-${lost.body.operationId}`;
    const shown = events.filter(({ request }) => request.idempotency_key === key);
    for (const { id } of shown) await world.payments.deliver(id);
    await newer().expect(200);
    await sweep();
    expect([await applied(), await quantity()]).toEqual([[5, 3], 3]);
  });

  it('that the provider refuses, or of an item of another subscription, leave the item free', async () => {
    const other = await caller.subscription(world.payments, 1);
    await caller
      .patch(
        `/subscriptions/${other.id}/items/${subscription.itemId}`,
        { quantity: 9, ...INVOICED },
        'foreign',
      )
      .expect(404);
    const past = { ...INVOICED, prorationDate: '2020-01-01T00:00:00Z' };
    await caller.patch(path, { quantity: 9, ...past }).expect(422);
    await caller.patch(path, { quantity: 3, ...INVOICED }, 'foreign').expect(200);
    expect(await applied()).toEqual([3]);
  });
});
