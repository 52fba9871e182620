import { randomUUID } from 'node:crypto';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import { OutboxStore } from '../../src/platform/gateway/email/outbox/outbox.store.js';
import { EmailWorld, newAddress } from '../support/email-world.js';

const LOST = new DatabaseIsUnavailable(new Error('The connection was lost at COMMIT.'));

/** The database stored each of these, and the process does not know. */
describe('mail whose COMMIT gets no answer', () => {
  let world: EmailWorld;
  let headers: Record<string, string>;
  let store: OutboxStore;
  let database: Database;

  beforeAll(async () => {
    world = await EmailWorld.start();
    headers = await world.service();
    store = world.gateway.service.app.get(OutboxStore, { strict: false });
    database = world.gateway.service.app.get(Database, { strict: false });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  /** Loses the answer to the first call that `isMeant`. */
  const loseAnswerOf = <Name extends 'claim' | 'beginData' | 'record'>(name: Name): void => {
    const original = (store[name] as (...given: unknown[]) => Promise<unknown[] | boolean>).bind(store);
    let isLost = false;
    jest.spyOn(store, name).mockImplementation((async (...given: unknown[]) => {
      const answer = await original(...given);
      if (isLost || (Array.isArray(answer) && answer.length === 0)) return answer;
      isLost = true;
      throw LOST;
    }) as never);
  };
  const sentOnce = async (message: { id: string; messageId: string }, address: string): Promise<void> => {
    const { recipients, history } = await world.settled(headers, message.id);
    expect(recipients).toMatchObject([{ address, state: 'sent' }]);
    expect(history.filter(({ state }: { state: string }) => state === 'sent')).toHaveLength(1);
    expect(await world.timesAccepted(message, address)).toBe(1);
  };

  it('is accepted once under its idempotency key', async () => {
    const [address, key] = [newAddress(), randomUUID()];
    const transaction = database.transaction.bind(database);
    let isLost = false;
    jest.spyOn(database, 'transaction').mockImplementation(async (work) => {
      const answer = await transaction(work);
      const accepted = 'SELECT FROM gateway.email_recipient WHERE address = $1';
      if (isLost || (await world.gateway.test.database.query(accepted, [address])).length === 0)
        return answer;
      isLost = true;
      throw LOST;
    });
    const body = { to: [{ address }] };
    await expect(world.send(headers, body, key)).rejects.toThrow(/^503 /);
    await sentOnce(await world.send(headers, body, key), address);
    const stored = await world.gateway.test.database.query(
      'SELECT FROM gateway.email_recipient WHERE address = $1',
      [address],
    );
    expect(stored).toHaveLength(1);
  });

  it.each(['claim', 'beginData', 'record'] as const)('by %s is sent once and not uncertain', async (name) => {
    const address = newAddress();
    loseAnswerOf(name);
    await sentOnce(await world.send(headers, { to: [{ address }] }), address);
  });

  it('is sent although it cannot be stored that its credential works', async () => {
    const address = newAddress();
    const query = database.query.bind(database) as (...given: unknown[]) => Promise<never>;
    jest
      .spyOn(database, 'query')
      .mockImplementation(((text: { name?: string }, ...more: unknown[]) =>
        text.name === 'gateway_email_credential_works'
          ? Promise.reject(LOST)
          : query(text, ...more)) as never);
    await sentOnce(await world.send(headers, { to: [{ address }] }), address);
  });
});
