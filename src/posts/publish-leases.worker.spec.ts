import { FixedClock } from '#libs/clock/testing';
import { loadConfig } from '#libs/config';
import { until } from '../../test/support/until.js';
import { PublishLeases } from './publish-leases.worker.js';
import { PublishConfig } from './publish.config.js';

describe('the right to send to an account', () => {
  const clock = new FixedClock();
  let fence = 0;
  const leases = {
    acquire: (_: unknown, keys: string[]) =>
      Promise.resolve(new Map(keys.map((key) => [key, String(++fence)]))),
    release: () => Promise.resolve(),
  };
  const config = loadConfig(PublishConfig, { PUBLISH_LEASE_MS: '30000', NETWORK_TIMEOUT_MS: '10000' });
  const right = new PublishLeases({} as never, leases as never, clock, config);
  afterAll(() => right.onApplicationShutdown());

  it('ends so early that a call begun in time ends, timeout included, inside the lease', async () => {
    await right.acquire(['a']);
    clock.advance(19_000);
    expect(right.isSafe('a')).toBe(true);
    clock.advance(1_000);
    expect(right.isSafe('a')).toBe(false);
  });

  it('is gone for a process that was frozen, whatever the wall clock says when it wakes', async () => {
    await right.acquire(['b']);
    const before = clock.now();
    clock.advance(60_000);
    clock.jumpTo(before);
    expect(right.isSafe('b')).toBe(false);
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
    await late.acquire(['c']);
    expect(late.isSafe('c')).toBe(false);
    late.onApplicationShutdown();
  });

  it('is nobody’s without a lease, and stays with the newer claim when an older one is forgotten', async () => {
    expect(right.isSafe('never')).toBe(false);
    await right.acquire(['d']);
    const older = await right.release({} as never, ['d']);
    await right.acquire(['d']);
    right.forget(older);
    expect(right.has('d')).toBe(true);
    right.forget(await right.release({} as never, ['d']));
    expect(right.has('d')).toBe(false);
  });

  it('is given back even while the database is away: it is not renewed any more, and runs out', async () => {
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
    await those.acquire(['e', 'f']);
    await those.giveBack(['e']);
    expect([those.has('e'), those.has('f')]).toEqual([false, true]);
    await until(() => renewed.length > 1);
    those.onApplicationShutdown();
    expect(new Set(renewed)).toEqual(new Set(['f']));
  });
});
