import fc from 'fast-check';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { LeasedCounter, leasesOf } from './leased-counter.js';

const now = () => performance.now();

describe('leases of a limit', () => {
  it('never add up to more than the limit, nor to much less, and are at most a hundred and some', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (limit) => {
        const { size, count } = leasesOf(limit);
        expect(size * count).toBeLessThanOrEqual(limit);
        expect(size * count).toBeGreaterThan(limit * 0.98 - 1);
        expect(count).toBeLessThan(200);
      }),
    );
  });
});

describe('a counter in leases', () => {
  const counters = (limit: number, replicas: number) => {
    const { size, count } = leasesOf(limit);
    const shared = new RateLimiterMemory({ keyPrefix: 'test', points: count, duration: 60 });
    return Array.from({ length: replicas }, () => new LeasedCounter(shared, size, now));
  };

  it.each([
    [5, 1, 20],
    [100, 2, 300],
    [1_000, 3, 3_000],
  ])(
    'lets through the whole limit of %i, over %i replicas, and no more',
    async (limit, replicas, requests) => {
      const all = counters(limit, replicas);
      const taken = await Promise.all(
        Array.from({ length: requests }, async (_, index) => await all[index % replicas]?.take('ann')),
      );
      expect(taken.filter((allowance) => allowance?.allowed)).toHaveLength(limit);
      expect(await all[0]?.take('ann')).toMatchObject({ allowed: false, remaining: 0 });
      expect(await all[0]?.take('bob')).toMatchObject({ allowed: true });
    },
  );

  it('allows several requests together or none, and counts all of them', async () => {
    const [counter] = counters(100, 1);
    expect(await counter?.take('ann', 60)).toMatchObject({ allowed: true, remaining: 40 });
    expect((await counter?.take('ann', 60))?.allowed).toBe(false);
    expect(await counter?.take('ann', 30)).toMatchObject({ allowed: true, remaining: 9 });
  });

  it('allows as many again as were given back, and none of an earlier window', async () => {
    const [counter] = counters(2, 1);
    for (let at = 0; at < 5; at += 1) {
      expect((await counter?.take('ann'))?.allowed).toBe(true);
      counter?.giveBack('ann', now(), 60_000);
    }
    for (const allowed of [true, true, false]) expect((await counter?.take('ann'))?.allowed).toBe(allowed);
    counter?.giveBack('ann', now() - 61_000, 60_000);
    expect((await counter?.take('ann'))?.allowed).toBe(false);
  });

  it('counts down what is left', async () => {
    const [counter] = counters(200, 1);
    const left = [];
    for (let index = 0; index < 5; index += 1) left.push((await counter?.take('ann'))?.remaining);
    expect(left).toEqual([199, 198, 197, 196, 195]);
  });

  it('restarts when the window ends', async () => {
    const shared = new RateLimiterMemory({ keyPrefix: 'test', points: 1, duration: 1 });
    const counter = new LeasedCounter(shared, 1, now);
    const first = await counter.take('ann');
    expect([first.allowed, (await counter.take('ann')).allowed]).toEqual([true, false]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await counter.take('ann')).allowed).toBe(true);
  });

  it('asks again after a failure', async () => {
    const shared = new RateLimiterMemory({ points: 1, duration: 60 });
    const consume = shared.consume.bind(shared);
    shared.consume = () => Promise.reject(new Error('away'));
    const counter = new LeasedCounter(shared, 1, now);
    await expect(Promise.resolve(counter.take('ann'))).rejects.toThrow('away');
    shared.consume = consume;
    expect((await counter.take('ann')).allowed).toBe(true);
  });
});
