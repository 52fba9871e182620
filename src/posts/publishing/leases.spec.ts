import { jest } from '@jest/globals';
import { FixedClock } from '#libs/clock/testing';
import { loadConfig } from '#libs/config';
import { waitUntil } from '../../../test/support/wait-until.js';
import { PublishLeases } from './leases.js';
import { PublishConfig } from './publish.config.js';

describe('the lease of an account', () => {
  const clock = new FixedClock();
  let fence = 0;
  const leases = {
    acquire: (_: unknown, keys: string[]) =>
      Promise.resolve(new Map(keys.map((key) => [key, String(++fence)]))),
    release: (_: unknown, given: Iterable<readonly [string, string]>) => Promise.resolve(void given),
  };
  const config = loadConfig(PublishConfig, { PUBLISH_LEASE_MS: '30000', NETWORK_TIMEOUT_MS: '10000' });
  const right = new PublishLeases({} as never, leases as never, clock, config);
  afterAll(() => right.onApplicationShutdown());

  const leased = async (of: PublishLeases, key: string) => {
    const lease = (await of.acquire([key])).get(key);
    if (!lease) throw new Error('Another worker holds it.');
    return lease;
  };

  it('allows a call only if it ends, timeout included, before the lease does', async () => {
    const lease = await leased(right, 'a');
    clock.advance(19_000);
    expect(right.isSafe(lease)).toBe(true);
    clock.advance(1_000);
    expect(right.isSafe(lease)).toBe(false);
  });

  it('has expired for a process that was frozen, for every wall clock at resume', async () => {
    const lease = await leased(right, 'b');
    const before = clock.now();
    clock.advance(60_000);
    clock.jumpTo(before);
    expect(right.isSafe(lease)).toBe(false);
  });

  it('is counted from before the database was asked', async () => {
    const slow = { ...leases, acquire: leases.acquire };
    const late = new PublishLeases(
      {} as never,
      {
        ...slow,
        acquire: (executor: unknown, keys: string[]) => {
          clock.advance(25_000);
          return leases.acquire(executor, keys);
        },
      } as never,
      clock,
      config,
    );
    expect(late.isSafe(await leased(late, 'c'))).toBe(false);
    late.onApplicationShutdown();
  });

  it('does not exist before it is acquired, and stays with the newer claim when an older one is forgotten', async () => {
    expect(right.isSafe({ key: 'never', fence: '1' })).toBe(false);
    const older = await leased(right, 'd');
    const newer = await leased(right, 'd');
    right.forget([older]);
    expect(right.has('d')).toBe(true);
    right.forget([newer]);
    expect(right.has('d')).toBe(false);
  });

  it('belongs to one claim: a later claim of the same process neither shares nor loses it', async () => {
    const older = await leased(right, 'g');
    const newer = await leased(right, 'g');
    expect([right.isSafe(older), right.isSafe(newer)]).toEqual([false, true]);
    const release = jest.spyOn(leases, 'release');
    await right.giveBack([older]);
    expect([...(release.mock.lastCall?.[1] ?? [])]).toEqual([['g', older.fence]]);
    expect(right.isSafe(newer)).toBe(true);
  });

  it('ends at once when another worker has acquired it, and not while the database is away', async () => {
    const answers = [new Error('away'), new Set(['i'])];
    const taken = {
      ...leases,
      renew: () => {
        const answer = answers.shift();
        return answer instanceof Set ? Promise.resolve(answer) : Promise.reject(answer ?? new Error('away'));
      },
    };
    const often = loadConfig(PublishConfig, { PUBLISH_LEASE_MS: '1000', NETWORK_TIMEOUT_MS: '100' });
    const those = new PublishLeases({} as never, taken as never, clock, often);
    const [lost, kept] = [await leased(those, 'h'), await leased(those, 'i')];
    await waitUntil(() => answers.length === 1);
    expect([those.isSafe(lost), those.isSafe(kept)]).toEqual([true, true]);
    await waitUntil(() => answers.length === 0);
    await waitUntil(() => !those.has('h'));
    those.onApplicationShutdown();
    expect([those.isSafe(lost), those.isSafe(kept)]).toEqual([false, true]);
  });

  it('is given back while the database is away: it is no longer renewed, and expires', async () => {
    const renewed: string[] = [];
    const away = {
      ...leases,
      release: () => Promise.reject(new Error('away')),
      renew: (_: unknown, held: Map<string, string>) => {
        renewed.push(...held.keys());
        return Promise.resolve(new Set(held.keys()));
      },
    };
    const often = loadConfig(PublishConfig, { PUBLISH_LEASE_MS: '1000', NETWORK_TIMEOUT_MS: '100' });
    const those = new PublishLeases({} as never, away as never, clock, often);
    const lease = await leased(those, 'e');
    await leased(those, 'f');
    await those.giveBack([lease]);
    expect([those.has('e'), those.has('f')]).toEqual([false, true]);
    await waitUntil(() => renewed.length > 1);
    those.onApplicationShutdown();
    expect(new Set(renewed)).toEqual(new Set(['f']));
  });
});
