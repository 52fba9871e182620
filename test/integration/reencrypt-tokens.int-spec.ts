import { randomBytes, randomUUID } from 'node:crypto';
import { ReencryptTokens } from '../../src/integrations/sweeps/reencrypt-tokens.sweep.js';
import { TokensStore } from '../../src/integrations/tokens/tokens.store.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

/** More than a batch. */
const MANY = 230;
const aKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('re-encrypting tokens', () => {
  const [former, newest] = [aKey('former'), aKey('newest')];
  let world: PublishingForTests;
  let brandId: string;

  beforeAll(async () => {
    world = await PublishingForTests.start({ ENCRYPTION_KEYS: former });
    brandId = await world.brand();
  });
  afterEach(async () => {
    await world.stopWorkers();
    await world.test.database.query('DELETE FROM integrations.connection');
  });
  afterAll(() => world.stop());

  /** The sweep of a process with these keys. */
  const sweepWith = async (...keys: string[]): Promise<ReencryptTokens> => {
    const worker = await world.worker({ ENCRYPTION_KEYS: keys.join(',') });
    return worker.app.get(ReencryptTokens, { strict: false });
  };
  const readWith = async (...keys: string[]): Promise<Map<string, object>> => {
    const worker = await world.worker({ ENCRYPTION_KEYS: keys.join(',') });
    const ids = await world.test.database.query<{ id: string }>('SELECT id FROM integrations.connection');
    const found = await worker.app.get(TokensStore, { strict: false }).read(ids.map(({ id }) => id));
    return new Map(
      found.map(({ connectionId, accessToken, refreshToken, tokenVersion, unreadable }) => [
        connectionId,
        { accessToken, refreshToken, tokenVersion, unreadable },
      ]),
    );
  };

  /** The query of docs/operations.md that an operator runs before a key is taken away. */
  const keysInUse = async (): Promise<(string | null)[]> => {
    const rows = await world.test.database.query<{ key: string | null }>(
      `SELECT DISTINCT split_part(unnest(ARRAY[access_token, refresh_token]), '.', 1) AS key
       FROM integrations.connection`,
    );
    return rows.map(({ key }) => key);
  };

  const connected = (): Promise<ConnectedBrand> => world.connect(brandId, randomUUID());
  const change = (assignments: string, one: ConnectedBrand) =>
    world.test.database.query(`UPDATE integrations.connection SET ${assignments} WHERE id = $1`, [
      one.connectionId,
    ]);
  const tokensOf = ({ account: { accessToken, refreshToken } }: ConnectedBrand) => ({
    ...{ accessToken, refreshToken, tokenVersion: 1, unreadable: false },
  });
  const unreadable = { accessToken: null, refreshToken: null, unreadable: true };

  it('encrypts all tokens with the newest key, so that the former one can be removed', async () => {
    const account = await world.sandbox.account('of_many');
    const all: ConnectedBrand[] = [];
    for (let n = 0; n < MANY; n += 1) all.push(await world.connect(brandId, randomUUID(), account));
    const before = [...(await readWith(newest)).values()];
    expect(before).toHaveLength(MANY);
    for (const tokens of before) expect(tokens).toMatchObject(unreadable);

    const sweep = await sweepWith(newest, former);
    expect(await keysInUse()).toEqual(['former']);
    expect(await sweep.sweep()).toEqual({ reencrypted: MANY, unreadable: 0 });
    expect(await keysInUse()).toEqual(['newest']);
    expect(await readWith(newest)).toEqual(new Map(all.map((one) => [one.connectionId, tokensOf(one)])));
    expect(await sweep.sweep()).toEqual({ reencrypted: 0, unreadable: 0 });
  });

  it('includes connections without a refresh token and those that need a reconnect', async () => {
    const [without, waiting, gone] = [await connected(), await connected(), await connected()];
    await change('refresh_token = NULL', without);
    await change(`state = 'reconnect-needed'`, waiting);
    await change(`state = 'disconnected', access_token = NULL, refresh_token = NULL`, gone);
    expect(await (await sweepWith(newest, former)).sweep()).toEqual({ reencrypted: 2, unreadable: 0 });
    const tokens = await readWith(newest);
    expect(tokens.get(without.connectionId)).toEqual({ ...tokensOf(without), refreshToken: null });
    expect(tokens.get(waiting.connectionId)).toEqual(tokensOf(waiting));
  });

  it('leaves tokens unchanged that were replaced during the sweep, and encrypts them in the next one', async () => {
    const one = await connected();
    const sweep = await sweepWith(newest, former);
    const { accessToken, refreshToken } = await world.sandbox.account(one.account.username);
    const { access, refresh } = world.tokens.encrypted(one.connectionId, { accessToken, refreshToken });
    let first: ReturnType<ReencryptTokens['sweep']> | undefined;
    await world.test.database.transaction(async (transaction) => {
      await transaction.query(
        `UPDATE integrations.connection SET access_token = $2, refresh_token = $3, token_version = 2 WHERE id = $1`,
        [one.connectionId, access, refresh],
      );
      first = sweep.sweep();
      await waitUntil(async () => {
        const waits =
          'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
        return (await transaction.query(waits)).length > 0;
      });
    });
    expect(await first).toEqual({ reencrypted: 0, unreadable: 0 });
    const renewed = { accessToken, refreshToken, tokenVersion: 2, unreadable: false };
    expect((await readWith(former)).get(one.connectionId)).toEqual(renewed);
    expect(await sweep.sweep()).toEqual({ reencrypted: 1, unreadable: 0 });
    expect((await readWith(newest)).get(one.connectionId)).toEqual(renewed);
  });

  it('counts tokens that no key decrypts, and continues with the others', async () => {
    const [lost, kept] = [await connected(), await connected()];
    await change(`access_token = 'gone.' || access_token`, lost);
    expect(await (await sweepWith(newest, former)).sweep()).toEqual({ reencrypted: 1, unreadable: 1 });
    const tokens = await readWith(newest, former);
    expect(tokens.get(lost.connectionId)).toMatchObject(unreadable);
    expect(tokens.get(kept.connectionId)).toEqual(tokensOf(kept));
  });
});
