import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { NetworkIsUnavailable } from '../../src/integrations/domain/integration.errors.js';
import { XProvider } from '../../src/integrations/providers/x/x.provider.js';
import { AccountFactsSweep } from '../../src/integrations/sweeps/account-facts.sweep.js';
import { PublishingForTests } from '../support/publishing.js';

describe('the facts of accounts', () => {
  let world: PublishingForTests;

  beforeAll(async () => {
    world = await PublishingForTests.start();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.stopWorkers();
    await world.test.database.query('DELETE FROM integrations.connection');
  });
  afterAll(() => world.stop());

  const sweeper = async () => (await world.worker()).app.get(AccountFactsSweep, { strict: false });
  const rowOf = async (connectionId: string) => {
    const [row] = await world.test.database.query<{ facts: object; updatedAt: Date; dueInHours: number }>(
      `SELECT facts, updated_at AS "updatedAt", round(extract(epoch FROM facts_due_at - now()) / 3600)::int AS "dueInHours"
       FROM integrations.connection WHERE id = $1`,
      [connectionId],
    );
    return row;
  };
  const makeDue = () => world.test.database.query('UPDATE integrations.connection SET facts_due_at = now()');

  it('are read once a day, with the token of the account, by one of several workers', async () => {
    const { connectionId, account } = await world.connectedBrand();
    const facts = jest.spyOn(XProvider.prototype, 'facts').mockResolvedValue({ subscription: 'Premium' });
    const [first, second] = [await sweeper(), await sweeper()];
    await Promise.all([first.sweep(), second.sweep()]);
    expect(facts.mock.calls.map(([{ accountId }, token]) => [accountId, token])).toEqual([
      [account.id, account.accessToken],
    ]);
    expect(await rowOf(connectionId)).toMatchObject({ facts: { subscription: 'Premium' }, dueInHours: 24 });
    expect(await first.sweep()).toBe(0);
  });

  it('are read from the network itself', async () => {
    const { connectionId } = await world.connectedBrand();
    await (await sweeper()).sweep();
    expect((await rowOf(connectionId))?.facts).toEqual({ subscription: expect.any(String) });
  });

  it('count as a change of the connection only when they differ', async () => {
    const { connectionId } = await world.connectedBrand();
    const facts = jest
      .spyOn(XProvider.prototype, 'facts')
      .mockResolvedValue({ subscription: 'Premium', a: 1 });
    const sweep = await sweeper();
    await sweep.sweep();
    const changed = await rowOf(connectionId);
    await makeDue();
    facts.mockResolvedValue({ a: 1, subscription: 'Premium' });
    await sweep.sweep();
    expect((await rowOf(connectionId))?.updatedAt).toEqual(changed?.updatedAt);
    await makeDue();
    facts.mockResolvedValue({ subscription: 'None' });
    await sweep.sweep();
    expect((await rowOf(connectionId))?.updatedAt.getTime()).toBeGreaterThan(
      changed?.updatedAt.getTime() ?? 0,
    );
  });

  it('stay as they are when they cannot be read, and are tried again in an hour', async () => {
    const { connectionId } = await world.connectedBrand();
    const facts = jest.spyOn(XProvider.prototype, 'facts').mockResolvedValue({ subscription: 'Premium' });
    const sweep = await sweeper();
    await sweep.sweep();
    await makeDue();
    facts.mockRejectedValue(new NetworkIsUnavailable('X'));
    expect(await sweep.sweep()).toBe(1);
    expect(await rowOf(connectionId)).toMatchObject({ facts: { subscription: 'Premium' }, dueInHours: 1 });
  });

  it('are not read of accounts that are not connected any more', async () => {
    await world.connectedBrand();
    await world.test.database.query(`UPDATE integrations.connection SET state = 'reconnect-needed'`);
    expect(await (await sweeper()).sweep()).toBe(0);
  });
});
