import { once } from 'node:events';
import { PaymentsWorld } from '../support/payments-world.js';
import type { PaymentsCaller } from '../support/payments-world.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { spawnEntry } from '../support/spawn-entry.js';
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

  /** A process that is killed while the provider has the request. @returns when it is dead */
  async function killedDuring(name: string, delay: string, until: () => Promise<boolean>): Promise<void> {
    const entry = await spawnEntry(ENTRY, world.gateway.environment);
    entries.push(entry);
    await world.fault(delay, 'POST /v1/products', { delayMs: 2_000 });
    const lost = caller
      .at(entry.url)
      .post('/products', { name }, name)
      .then(
        () => 'answered',
        () => 'lost',
      );
    await waitUntil(until);
    const gone = once(entry.process, 'exit');
    entry.process.kill('SIGKILL');
    await gone;
    expect(await lost).toBe('lost');
  }

  const effects = async (name: string) =>
    (await world.payments.effects('product_created')).filter(({ text }) => text === name);
  const operation = async (name: string) => {
    const [row] = await world.gateway.test.database.query<{ id: string; state: string }>(
      'SELECT id, state FROM gateway.payment_operation WHERE caller_key = $1',
      [name],
    );
    return row;
  };
  const expireLeases = () =>
    world.gateway.test.database.query(
      `UPDATE gateway.payment_operation SET due_at = now() WHERE state = 'running'`,
    );

  it('after the effect and before its result is stored: another replica finishes it, with one effect', async () => {
    const name = 'killed-after-the-effect';
    await killedDuring(name, 'delay-after-effect', async () => (await effects(name)).length === 1);
    expect((await operation(name))?.state).toBe('running');
    await caller.post('/products', { name }, name).expect(409);
    await expireLeases();
    const replica = await world.gateway.replica();
    await Promise.all([world.sweep(), world.sweep(replica)]);
    const [effect, ...more] = await effects(name);
    expect(more).toEqual([]);
    const { body } = await caller.post('/products', { name }, name).expect(201);
    expect(body.id).toBe(effect?.id);
  });

  it('before the effect: the repetition of the caller has the only one', async () => {
    const name = 'killed-before-the-effect';
    const begun = async () => (await operation(name))?.state === 'running';
    await killedDuring(name, 'delay-before-effect', begun);
    await expireLeases();
    const { body } = await caller.post('/products', { name }, name).expect(201);
    expect((await effects(name)).map(({ id }) => id)).toEqual([body.id]);
  });
});
