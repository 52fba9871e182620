import { randomBytes, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ExpiringTokensSweep } from '../../src/integrations/sweeps/expiring-tokens.sweep.js';
import { BusinessApi } from '../support/business-api.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { SandboxForTests } from '../support/sandbox.js';
import { waitUntil } from '../support/wait-until.js';

/** More than a batch. */
const MANY = 130;

describe('the sweep of expiring tokens', () => {
  let sandbox: SandboxForTests;
  let api: BusinessApi;
  let world: PublishingForTests;
  let brandId: string;
  let accounts = 0;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
    const environment = {
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      X_API_URL: `${sandbox.url}/x`,
      NETWORK_TIMEOUT_MS: '5000',
      PUBLISH_LEASE_MS: '12000',
    };
    api = await BusinessApi.start({
      ...environment,
      X_CLIENT_ID: 'sandbox-client',
      X_CLIENT_SECRET: 'sandbox-secret',
    });
    world = await PublishingForTests.start(
      { ...environment, API_INTERNAL_URL: api.service.managementUrl },
      { ...api.test, drop: () => Promise.resolve() },
    );
    brandId = await world.brand();
  });
  afterEach(async () => {
    await world.stopWorkers();
    await api.test.database.query('DELETE FROM integrations.connection');
  });
  afterAll(async () => {
    await world.stop();
    await api.stop();
    await sandbox.stop();
  });

  const sweeper = async () => (await world.worker()).app.get(ExpiringTokensSweep, { strict: false });

  /** Accounts whose tokens end in so many minutes. */
  const expiring = async (count: number, inMinutes = 5): Promise<ConnectedBrand[]> => {
    const connected: ConnectedBrand[] = [];
    for (let n = 0; n < count; n += 1) {
      const account = await sandbox.account(`expiring_${(accounts += 1)}`);
      connected.push(await world.connect(brandId, randomUUID(), account));
    }
    await api.test.database.query(
      `UPDATE integrations.connection SET access_expires_at = now() + make_interval(mins => $2) WHERE id = ANY ($1)`,
      [connected.map(({ connectionId }) => connectionId), inMinutes],
    );
    return connected;
  };

  interface Tokens {
    id: string;
    state: string;
    token_version: number;
    ends_soon: boolean;
  }
  const tokens = async (): Promise<Map<string, Tokens>> => {
    const rows = await api.test.database.query<Tokens>(
      `SELECT id, state, token_version, access_expires_at < now() + interval '1 hour' AS ends_soon
       FROM integrations.connection`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  };
  const renewed = { state: 'active', token_version: 2, ends_soon: false };
  const untouched = { state: 'active', token_version: 1, ends_soon: true };

  it('renews all of them at once, not so many a minute', async () => {
    await expiring(MANY);
    expect(await (await sweeper()).sweep()).toBe(MANY);
    const after = [...(await tokens()).values()];
    expect(after.filter((row) => row.token_version !== 2 || row.state !== 'active' || row.ends_soon)).toEqual(
      [],
    );
    expect(after).toHaveLength(MANY);
  });

  it('stores tokens that the network takes', async () => {
    const [one] = await expiring(1);
    await (await sweeper()).sweep();
    const postId = await world.schedule({ brandId, authorId: one?.userId, inMs: 50 });
    await waitUntil(async () => (await world.post(postId)).status !== 'scheduled');
    expect((await world.post(postId)).status).toBe('published');
    expect((await sandbox.ledger('?kind=post.created')) as object[]).toHaveLength(1);
  });

  it('leaves alone what lasts, has nothing to be renewed with, or is no longer connected', async () => {
    await expiring(1, 45);
    const [without, gone] = await expiring(2);
    await api.test.database.query(`UPDATE integrations.connection SET refresh_token = NULL WHERE id = $1`, [
      without?.connectionId,
    ]);
    await api.test.database.query(
      `UPDATE integrations.connection SET state = 'reconnect-needed' WHERE id = $1`,
      [gone?.connectionId],
    );
    expect(await (await sweeper()).sweep()).toBe(0);
    const versions = [...(await tokens()).values()].map((row) => row.token_version);
    expect(versions).toEqual([1, 1, 1]);
  });

  it('marks a connection whose renewal the network refuses, records that, and renews the others', async () => {
    const [refused, ...others] = await expiring(10);
    await sandbox.control('POST', `/x/accounts/${refused?.account.username}/revoke`, {});
    await (await sweeper()).sweep();
    const after = await tokens();
    expect(after.get(refused?.connectionId ?? '')).toMatchObject({ state: 'reconnect-needed' });
    expect(await world.history(refused?.connectionId ?? '')).toEqual(['ReconnectNeeded']);
    for (const { connectionId } of others) expect(after.get(connectionId)).toMatchObject(renewed);
  });

  it('ends a connection that has ended and that nothing renews', async () => {
    const [ended] = await expiring(1, -1);
    const id = ended?.connectionId ?? '';
    await api.test.database.query(`UPDATE integrations.connection SET refresh_token = NULL`);
    expect(await (await sweeper()).sweep()).toBe(1);
    expect((await tokens()).get(id)).toMatchObject({ state: 'reconnect-needed' });
    expect(await world.history(id)).toEqual(['ReconnectNeeded']);
  });

  it('leaves temporarily failed renewals for the next sweep', async () => {
    const [first] = await expiring(1, 1);
    const [second] = await expiring(1, 5);
    const { username } = first?.account ?? {};
    await sandbox.fault({ kind: 'server-error-before-effect', account: username, times: 1 });
    const sweep = await sweeper();
    expect(await sweep.sweep()).toBe(2);
    const between = await tokens();
    expect(between.get(first?.connectionId ?? '')).toMatchObject(untouched);
    expect(between.get(second?.connectionId ?? '')).toMatchObject(renewed);
    expect(await sweep.sweep()).toBe(1);
    expect((await tokens()).get(first?.connectionId ?? '')).toMatchObject(renewed);
  });

  it('reports that the API refuses this worker before any renewal', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const sweepOf = async (more: Record<string, string>) =>
      (await world.worker(more)).app.get(ExpiringTokensSweep, { strict: false });
    expect(await (await sweepOf({})).sweep()).toBe(0);
    expect(errors).not.toHaveBeenCalled();
    const another = { INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex') };
    expect(await (await sweepOf(another)).sweep()).toBe(0);
    expect(await (await sweepOf({ API_INTERNAL_URL: api.service.url })).sweep()).toBe(0);
    const said = errors.mock.calls.map(String);
    expect(said).toEqual([expect.stringMatching(/ 401\. .*TOKEN/), expect.stringMatching(/ 404\. .*URL/)]);
    errors.mockRestore();
  });

  it('renews each once when two workers are at it at the same time', async () => {
    const connected = await expiring(MANY);
    const sweeps = await Promise.all([sweeper(), sweeper()]);
    const counts = await Promise.all(sweeps.map((sweep) => sweep.sweep()));
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, MANY]);
    const after = await tokens();
    for (const { connectionId } of connected) expect(after.get(connectionId)).toMatchObject(renewed);
  });

  it('renews each once even when a worker has lost its lease without noticing', async () => {
    const connected = await expiring(40);
    await sandbox.fault({
      kind: 'delay-before-effect',
      route: 'POST /2/oauth2/token',
      delayMs: 100,
      times: 40,
    });
    const sweeps = await Promise.all([sweeper(), sweeper()]);
    const first = sweeps[0]?.sweep();
    const isTaken = async () =>
      (await api.test.database.query(`DELETE FROM due_work.lease WHERE key LIKE 'sweep:%' RETURNING key`))
        .length > 0;
    await waitUntil(isTaken);
    await Promise.all([first, sweeps[1]?.sweep()]);
    const after = await tokens();
    for (const { connectionId } of connected) expect(after.get(connectionId)).toMatchObject(renewed);
  });
});
