import { jest } from '@jest/globals';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import { paymentsResultOf } from '../../libs/platform-client/src/payments-client.js';
import { OperationsStore } from '../../src/platform/gateway/payments/operations/operations.store.js';
import { type PaymentsCaller, PaymentsWorld } from '../support/payments-world.js';
import { waitUntil } from '../support/wait-until.js';

const LOST = new DatabaseIsUnavailable(new Error('The connection was lost at COMMIT.'));

/** The database stored each of these, and the process does not know. */
describe('payments whose COMMIT gets no answer', () => {
  let world: PaymentsWorld;
  let caller: PaymentsCaller;
  let store: OperationsStore;
  let database: Database;

  beforeAll(async () => {
    world = await PaymentsWorld.open();
    caller = await world.caller();
    const { app } = world.gateway.service;
    store = app.get(OperationsStore, { strict: false });
    database = app.get(Database, { strict: false });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.close());

  const rows = <Row extends object>(sql: string, ...values: unknown[]) =>
    world.gateway.test.database.query<Row>(sql, values);
  const created = async (name: string) =>
    (await world.payments.effects('product_created')).filter(({ text }) => text === name);
  const endLeases = () =>
    rows(`UPDATE gateway.payment_operation SET due_at = now() WHERE state IN ('running', 'unknown')`);

  /** Loses the answer to the first call. */
  const loseAnswerOf = (name: 'begin' | 'complete'): void => {
    const original = (store[name] as (...given: unknown[]) => Promise<unknown>).bind(store);
    jest.spyOn(store, name).mockImplementationOnce(async (...given: unknown[]) => {
      await original(...given);
      throw LOST;
    });
  };
  /** Loses the answer to the first COMMIT after which `isStored`. */
  const loseCommit = (isStored: () => Promise<boolean>): void => {
    const transaction = database.transaction.bind(database);
    let isLost = false;
    jest.spyOn(database, 'transaction').mockImplementation((async (work: never) => {
      const answer: unknown = await transaction(work);
      if (isLost || !(await isStored())) return answer;
      isLost = true;
      throw LOST;
    }) as never);
  };

  it.each(['caller', 'sweep'])('when it begins: the %s goes on with it, with one effect', async (by) => {
    const name = `begun-then-${by}`;
    loseAnswerOf('begin');
    await caller.post('/products', { name }, name).expect(503);
    expect(await created(name)).toEqual([]);
    await caller.post('/products', { name }, name).expect(409);
    await endLeases();
    if (by === 'sweep') await world.sweep();
    const { body } = await caller.post('/products', { name }, name).expect(201);
    expect((await created(name)).map(({ id }) => id)).toEqual([body.id]);
  });

  it.each(['begin', 'complete'] as const)(
    'when a change begins (%s): nothing is sent, and the key and the item are free again',
    async (step) => {
      const { id, itemId } = await caller.subscription(world.payments, 2);
      const path = `/subscriptions/${id}/items/${itemId}`;
      const change = { quantity: 5, prorationBehavior: 'always_invoice' };
      loseAnswerOf(step);
      await caller.patch(path, change, step).expect(503);
      await endLeases();
      await world.sweep();
      await caller.patch(path, { ...change, quantity: 3 }, `${step}-other`).expect(200);
      await caller.patch(path, change, step).expect(200);
      const updates = (await world.payments.effects('subscription_updated')).filter((one) => one.id === id);
      expect(updates.map(({ text }) => text)).toEqual(['3', '5']);
    },
  );

  it('when its result is stored: the storing is repeated, with one effect and one entry of the audit', async () => {
    const name = 'Finished';
    const isDone = async () =>
      (await rows(`SELECT FROM gateway.payment_operation WHERE caller_key = $1 AND state = 'done'`, name))
        .length > 0;
    loseCommit(isDone);
    const { body } = await caller.post('/products', { name }, name).expect(201);
    expect((await caller.post('/products', { name }, name).expect(201)).body).toEqual(body);
    await endLeases();
    await world.sweep();
    expect((await created(name)).map(({ id }) => id)).toEqual([body.id]);
    const audited = await rows(
      `SELECT FROM gateway.audit WHERE action = 'payment_product_created' AND target_id = $1`,
      body.id,
    );
    expect(audited).toHaveLength(1);
  });

  it('while the outcome of a change cannot be stored: it is unknown, and a repetition finds it', async () => {
    const { id, itemId } = await caller.subscription(world.payments, 2);
    const updates = async () =>
      (await world.payments.effects('subscription_updated')).filter((one) => one.id === id);
    const transaction = database.transaction.bind(database);
    jest.spyOn(database, 'transaction').mockImplementation((async (work: never) => {
      if ((await updates()).length > 0) throw LOST;
      return transaction(work);
    }) as never);
    const change = { quantity: 9, prorationBehavior: 'always_invoice' };
    const path = `/subscriptions/${id}/items/${itemId}`;
    const { status, body, headers } = await caller.patch(path, change, 'unstored');
    jest.restoreAllMocks();
    expect([status, body]).toMatchObject([
      502,
      { code: 'payment_outcome_unknown', operationId: expect.any(String) },
    ]);
    const response = { kind: 'answered' as const, status, headers, body };
    expect(paymentsResultOf(response, (read) => read).kind).toBe('no-answer');
    await endLeases();
    await caller.patch(path, change, 'unstored').expect(200);
    expect((await updates()).map(({ text }) => text)).toEqual(['9']);
  });

  it.each([
    ['database_unavailable', 'no-answer'],
    ['database_timeout', 'no-answer'],
    ['provider_unreachable', 'not-sent'],
  ])('the client takes 503 %s for %s', (code, kind) => {
    const headers = { 'content-type': 'application/problem+json' };
    const response = { kind: 'answered' as const, status: 503, headers, body: { code } };
    expect(paymentsResultOf(response, (read) => read).kind).toBe(kind);
  });

  it('when an event is stored: the provider sends it again, and it is relayed once', async () => {
    await world.sandbox.control('PUT', '/payments/settings', { holdWebhooks: true });
    const { body: product } = await caller.post('/products', { name: 'Event' }).expect(201);
    const [event] = (await world.payments.events()).filter(({ data }) => data.object.id === product.id);
    const stored = () =>
      rows<{ state: string }>('SELECT state FROM gateway.payment_event WHERE object_id = $1', product.id);
    loseCommit(async () => (await stored()).length > 0);
    const [lost] = await world.payments.deliver(event?.id ?? '');
    expect(lost?.status).toBe(503);
    const [again] = await world.payments.deliver(event?.id ?? '');
    expect([again?.status, JSON.parse(again?.body ?? '')]).toEqual([200, { isNew: false }]);
    await waitUntil(async () => (await stored()).every(({ state }) => state === 'delivered'));
    expect(world.receiver.received.filter(({ id }) => id === event?.id)).toHaveLength(1);
  });
});
