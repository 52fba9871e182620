import { once } from 'node:events';
import { type PaymentsCaller, PaymentsWorld, RELAY_SECRET } from '../support/payments-world.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const ENTRY = 'dist/src/platform/gateway/main.js';

describe('a gateway that is killed during a payment operation', () => {
  let world: PaymentsWorld;
  let caller: PaymentsCaller;
  const entries: SpawnedEntry[] = [];

  beforeAll(async () => {
    world = await PaymentsWorld.open();
    caller = await world.caller();
  });
  afterAll(async () => {
    for (const { process } of entries) process.kill('SIGKILL');
    await world.close();
  });

  async function killed({ process }: SpawnedEntry): Promise<void> {
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  /** A process that is killed while the provider has the request. @returns when it is dead */
  async function killedDuring(
    send: (caller: PaymentsCaller) => PromiseLike<unknown>,
    fault: readonly [kind: string, route: string],
    until: () => Promise<boolean>,
  ): Promise<void> {
    const entry = await spawnEntry(ENTRY, world.gateway.environment);
    entries.push(entry);
    await world.fault(...fault, { delayMs: 2_000 });
    const lost = send(caller.at(entry.url)).then(
      () => 'answered',
      () => 'lost',
    );
    await waitUntil(until);
    await killed(entry);
    expect(await lost).toBe('lost');
  }
  const creates = (name: string) => (by: PaymentsCaller) => by.post('/products', { name }, name);

  const effects = async (name: string) =>
    (await world.payments.effects('product_created')).filter(({ text }) => text === name);
  const operation = async (name: string) => {
    const [row] = await world.gateway.test.database.query<{ id: string; state: string; isSent: boolean }>(
      'SELECT id, state, key_digest IS NOT NULL AS "isSent" FROM gateway.payment_operation WHERE caller_key = $1',
      [name],
    );
    return row;
  };
  /** Lets the lease end, and two replicas sweep. A periodic pass of any replica may take the operation before them. */
  const finished = async (name: string) => {
    await expireLeases();
    const replica = await world.gateway.replica();
    await Promise.all([world.sweep(), world.sweep(replica)]);
    const isOpen = async () => ['running', 'unknown'].includes((await operation(name))?.state ?? '');
    await waitUntil(async () => !(await isOpen()));
  };
  const expireLeases = () =>
    world.gateway.test.database.query(
      `UPDATE gateway.payment_operation SET due_at = now() WHERE state = 'running'`,
    );

  it('after the effect and before its result is stored: another replica finishes it, with one effect', async () => {
    const name = 'killed-after-the-effect';
    const isCreated = async () => (await effects(name)).length === 1;
    await killedDuring(creates(name), ['delay-after-effect', 'POST /v1/products'], isCreated);
    expect((await operation(name))?.state).toBe('running');
    await caller.post('/products', { name }, name).expect(409);
    await finished(name);
    const [effect, ...more] = await effects(name);
    expect(more).toEqual([]);
    const { body } = await caller.post('/products', { name }, name).expect(201);
    expect(body.id).toBe(effect?.id);
  });

  it('before the effect: the repetition of the caller has the only one', async () => {
    const name = 'killed-before-the-effect';
    const begun = async () => (await operation(name))?.state === 'running';
    await killedDuring(creates(name), ['delay-before-effect', 'POST /v1/products'], begun);
    await expireLeases();
    const { body } = await caller.post('/products', { name }, name).expect(201);
    expect((await effects(name)).map(({ id }) => id)).toEqual([body.id]);
  });

  describe('of a subscription that is charged at once', () => {
    let path: string;
    let id: string;
    let paid: number;

    beforeEach(async () => {
      const subscription = await caller.subscription(world.payments, 2);
      id = subscription.id;
      path = `/subscriptions/${id}/items/${subscription.itemId}`;
      paid = (await world.payments.effects('charged')).length;
      // An event would show the effect.
      await world.sandbox.configure('payments', { holdWebhooks: true });
    });
    afterEach(() => world.sandbox.configure('payments', { holdWebhooks: false }));

    const change = { quantity: 5, prorationBehavior: 'always_invoice' };
    const updates = async () =>
      (await world.payments.effects('subscription_updated'))
        .filter((one) => one.id === id)
        .map(({ text }) => Number(text));
    const ITEM = '/v1/subscription_items/:id';

    it.each([
      ['after the effect', `POST ${ITEM}`],
      ['before the effect', `POST ${ITEM}`],
      ['while it reads what there is', `GET ${ITEM}`],
    ])('%s: no other change comes in between, and it is applied and charged once', async (when, route) => {
      const key = when.replaceAll(' ', '-');
      const kind = when === 'after the effect' ? 'delay-after-effect' : 'delay-before-effect';
      const isUnderWay = async () => {
        if (when === 'after the effect') return (await updates()).length === 1;
        return (await operation(key))?.isSent === route.startsWith('POST');
      };
      await killedDuring((by) => by.patch(path, change, key), [kind, route], isUnderWay);
      const other = { ...change, quantity: 3 };
      const { body } = await caller.patch(path, other, `${key}-other`).expect(409);
      expect(body).toMatchObject({
        code: 'payment_change_in_progress',
        operationId: (await operation(key))?.id,
      });
      await finished(key);
      await caller.patch(path, change, key).expect(200);
      expect(await updates()).toEqual([5]);
      await caller.patch(path, other, `${key}-other`).expect(200);
      expect(await updates()).toEqual([5, 3]);
      expect((await world.payments.effects('charged')).length - paid).toBe(1);
    });
  });
});

describe('a gateway that is killed between the delivery of an event and its record', () => {
  let world: PaymentsWorld;
  let entry: SpawnedEntry | undefined;

  beforeAll(async () => {
    world = await PaymentsWorld.open({ PAYMENT_RELAY_URLS: '', PAYMENT_RELAY_SECRETS: '' });
  });
  afterAll(async () => {
    entry?.process.kill('SIGKILL');
    await world.close();
  });

  it('relays it again with the same id after its lease, and records it once', async () => {
    const relays = {
      PAYMENT_RELAY_URLS: `social-publishing=${world.receiver.url}`,
      PAYMENT_RELAY_SECRETS: `social-publishing=${RELAY_SECRET}`,
    };
    entry = await spawnEntry(ENTRY, { ...world.gateway.environment, ...relays });
    const { process } = entry;
    const gone = once(process, 'exit');
    // The receiver has the event, and its response comes too late.
    world.receiver.ready = async () => {
      process.kill('SIGKILL');
      await gone;
    };
    const { body } = await (await world.caller()).post('/products', { name: 'Relayed' }).expect(201);
    const row = async () =>
      (
        await world.gateway.test.database.query<{ state: string; attempts: number }>(
          'SELECT state, attempts FROM gateway.payment_event WHERE object_id = $1',
          [body.id],
        )
      )[0];
    await gone;
    expect(await row()).toEqual({ state: 'waiting', attempts: 1 });
    world.receiver.ready = () => Promise.resolve();
    await world.gateway.test.database.query('UPDATE gateway.payment_event SET due_at = now()');
    await world.gateway.replica(relays);
    await waitUntil(async () => (await row())?.state === 'delivered');
    const received = world.receiver.received.filter((each) => each.body.object.id === body.id);
    expect(received.map(({ isSigned }) => isSigned)).toEqual([true, true]);
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
  });
});
