import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Setting, setting } from '#libs/config/testing';
import { IntegrationWarningsConfig } from '../../src/integrations/integration-warnings.config.js';
import { EndingGrantsSweep } from '../../src/integrations/sweeps/ending-grants.sweep.js';
import { PublishingForTests } from '../support/publishing.js';

describe('the announcement that a grant ends', () => {
  let world: PublishingForTests;

  beforeAll(async () => {
    world = await PublishingForTests.start();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    await world.stopWorkers();
    await world.test.database.query('DELETE FROM integrations.connection');
  });
  afterAll(() => world.stop());

  const sweeper = async (settings: readonly Setting[] = []) =>
    (await world.worker({}, settings)).app.get(EndingGrantsSweep, { strict: false });
  /** @param values of columns, as SQL */
  const connected = async (values: string): Promise<string> => {
    const { connectionId } = await world.connectedBrand();
    await world.test.database.query(`UPDATE integrations.connection SET ${values} WHERE id = $1`, [
      connectionId,
    ]);
    return connectionId;
  };
  const ending = () => connected(`refresh_token = NULL, access_expires_at = now() + interval '6 days'`);

  it('is recorded once, whichever replica finds it and however often', async () => {
    const connectionId = await ending();
    const [first, second] = [await sweeper(), await sweeper()];
    const announced = await Promise.all([first.sweep(), second.sweep(), first.sweep(), second.sweep()]);
    expect(announced.reduce((a, b) => a + b)).toBe(1);
    expect(await (await sweeper()).sweep()).toBe(0);
    expect(await world.history(connectionId)).toEqual(['GrantEndsSoon']);
  });

  it('names the brand and its organization for the audit, and no value', async () => {
    const connectionId = await ending();
    await (await sweeper()).sweep();
    const events = await world.test.database.query<{ data: object; metadata: object }>(
      'SELECT data, metadata FROM events.event WHERE stream = $1',
      [connectionId],
    );
    expect(events).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({ connectionId, platform: 'x', changed: [] }),
      }),
    ]);
    expect(events[0]?.metadata).toMatchObject({ organizationId: world.organizationId });
  });

  it('is made again for newer tokens, and only for those', async () => {
    const connectionId = await ending();
    const sweep = await sweeper();
    expect([await sweep.sweep(), await sweep.sweep()]).toEqual([1, 0]);
    await world.test.database.query(
      `UPDATE integrations.connection SET token_version = token_version + 1, access_expires_at = now() + interval '60 days' WHERE id = $1`,
      [connectionId],
    );
    expect(await sweep.sweep()).toBe(0);
    await world.test.database.query(
      `UPDATE integrations.connection SET access_expires_at = now() + interval '1 day' WHERE id = $1`,
      [connectionId],
    );
    expect([await sweep.sweep(), await sweep.sweep()]).toEqual([1, 0]);
    expect(await world.history(connectionId)).toEqual(['GrantEndsSoon', 'GrantEndsSoon']);
  });

  it('is not made of what is renewed, lasts, never ends, or has ended already', async () => {
    await connected(`access_expires_at = now() + interval '1 hour'`);
    await connected(`refresh_token = NULL, access_expires_at = now() + interval '8 days'`);
    await connected(`refresh_token = NULL`);
    await connected(`refresh_token = NULL, access_expires_at = now(), state = 'reconnect-needed'`);
    expect(await (await sweeper()).sweep()).toBe(0);
  });

  it('is made of a refresh token that ends, and as early as configured', async () => {
    await connected(`refresh_expires_at = now() + interval '20 days'`);
    expect(await (await sweeper()).sweep()).toBe(0);
    expect(await (await sweeper([setting(IntegrationWarningsConfig, { grantDays: 30 })])).sweep()).toBe(1);
  });

  it('reaches all of more than a batch', async () => {
    const { brandId } = await world.connectedBrand();
    await world.test.database.query(
      `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes,
         pages, groups, state, access_token, access_expires_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 'x', n::text, 'a', 'a', '{}', '[]', '[]', 'active', 'sealed', now()
       FROM generate_series(1, 130) n`,
      [brandId],
    );
    const sweep = await sweeper();
    expect([await sweep.sweep(), await sweep.sweep()]).toEqual([130, 0]);
  });
});
