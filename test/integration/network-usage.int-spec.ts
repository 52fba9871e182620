import type { NetworkLimit } from '../../src/integrations/domain/network-limits.js';
import {
  type Counter,
  type CounterChange,
  counterOf,
  type CounterReading,
  keyOf,
} from '../../src/integrations/limits/counters.js';
import { NetworkUsageStore } from '../../src/integrations/limits/network-usage.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const POSTS = { scope: 'account', counts: 'posts', max: 3 } as const;
const rolling: NetworkLimit = {
  ...POSTS,
  name: 'posts-per-day',
  window: { kind: 'rolling', windowMs: DAY_MS },
};
const fixed: NetworkLimit = {
  ...POSTS,
  name: 'posts-per-hour',
  window: { kind: 'fixed', windowMs: HOUR_MS },
};
const daily: NetworkLimit = {
  ...POSTS,
  name: 'uploads-per-day',
  window: { kind: 'day', timeZone: 'America/Los_Angeles' },
};

describe('the counters of network limits', () => {
  let test: TestDatabase;
  let usage: NetworkUsageStore;
  let accounts = 0;

  beforeAll(async () => {
    test = await createTestDatabase();
    usage = new NetworkUsageStore(test.database);
  });
  afterAll(() => test.drop());

  const aCounter = (limit: NetworkLimit): Counter => counterOf('fictional', `a${(accounts += 1)}`, limit);
  const change = async (counter: Counter, more: Partial<CounterChange> = {}) => {
    const none = { counter, wanted: 0, returned: 0, ofWindow: null, reading: null };
    return (await usage.change([{ ...none, ...more }])).get(keyOf(counter));
  };
  const take = (counter: Counter, wanted = 1) => change(counter, { wanted });
  const read = (counter: Counter, reading: Partial<CounterReading>, ofWindow: string | null = null) => {
    const said = {
      name: counter.limit.name,
      remaining: 0,
      resetsAt: null,
      max: null,
      after: null,
      ...reading,
    };
    return change(counter, { reading: said, ofWindow });
  };
  const level = async (counter: Counter) => (await usage.read([counter])).get(keyOf(counter));
  /** As if its uses had been taken so long before. */
  const age = (counter: Counter, milliseconds: number) =>
    test.database.query(
      `UPDATE integrations.network_usage SET part = part - ($3::float8 * 60 / $4)::bigint,
         resets_at = resets_at - $3::float8 * interval '1 millisecond',
         closed_until = closed_until - $3::float8 * interval '1 millisecond',
         updated_at = updated_at - $3::float8 * interval '1 millisecond'
       WHERE account_id = $1 AND counter = $2`,
      [
        counter.accountId,
        counter.counter,
        milliseconds,
        counter.limit.window.kind === 'day' ? DAY_MS : counter.limit.window.windowMs,
      ],
    );

  describe.each([rolling, fixed, daily])('of $name', (limit) => {
    it('grant uses up to the limit, in order, and say when the next one is left', async () => {
      const counter = aCounter(limit);
      expect(await level(counter)).toBeUndefined();
      expect(await take(counter)).toMatchObject({ granted: 1, taken: 1, remaining: 2, max: 3, freeInMs: 0 });
      expect(await take(counter, 5)).toMatchObject({ granted: 2, taken: 3, remaining: 0 });
      const refused = await take(counter);
      expect(refused).toMatchObject({ granted: 0, taken: 3, remaining: 0 });
      expect(refused?.freeInMs).toBeGreaterThan(0);
      expect(refused?.freeInMs).toBeLessThanOrEqual(limit === fixed ? HOUR_MS + 5_000 : DAY_MS * (62 / 60));
      const { resetsAt, ...left } = (await level(counter)) ?? {};
      expect(left).toEqual({ max: 3, remaining: 0 });
      expect(Math.abs(Date.parse(resetsAt ?? '') - Date.now() - (refused?.freeInMs ?? 0))).toBeLessThan(
        60_000,
      );
    });

    it('begin again after the window, and not before', async () => {
      const counter = aCounter(limit);
      await take(counter, 3);
      if (limit !== daily) {
        await age(counter, (limit === fixed ? HOUR_MS : DAY_MS) - 60_000);
        expect(await take(counter)).toMatchObject({ granted: 0 });
      }
      await age(counter, DAY_MS * 1.1);
      expect(await level(counter)).toEqual({ max: 3, remaining: 3, resetsAt: null });
      expect(await take(counter)).toMatchObject({ granted: 1, remaining: 2 });
    });

    it('take back what was not used', async () => {
      const counter = aCounter(limit);
      const taken = await take(counter, 3);
      const back = { returned: 1, ofWindow: taken?.windowEndsAt ?? null };
      expect(await change(counter, back)).toMatchObject({ remaining: 1 });
      expect(await take(counter)).toMatchObject({ granted: 1, remaining: 0 });
    });

    it('are shared by all workers: one statement after the other grants', async () => {
      const counter = aCounter({ ...limit, max: 40 });
      const granted = await Promise.all(Array.from({ length: 16 }, () => take(counter, 3)));
      expect(granted.map((state) => state?.granted ?? 0).reduce((a, b) => a + b)).toBe(40);
      expect(await level(counter)).toMatchObject({ remaining: 0 });
    });

    it('believe a network that says less is left', async () => {
      const counter = aCounter(limit);
      const taken = await take(counter);
      expect(await read(counter, { remaining: 1 }, taken?.windowEndsAt)).toMatchObject({ remaining: 1 });
    });

    it('are closed by a network that states a maximum of 0, for one window', async () => {
      const counter = aCounter(limit);
      const taken = await take(counter);
      const said = await read(counter, { remaining: 0, max: 0 }, taken?.windowEndsAt);
      expect(said).toMatchObject({ remaining: 0 });
      await age(counter, DAY_MS * 1.1);
      expect(await take(counter)).toMatchObject({ granted: 1 });
    });

    it('believe that more is left only without a later use', async () => {
      const counter = aCounter(limit);
      const taken = await take(counter, 2);
      const window = taken?.windowEndsAt ?? null;
      expect(await read(counter, { remaining: 2 }, window)).toMatchObject({ remaining: 1 });
      expect(await read(counter, { remaining: 2, after: 1 }, window)).toMatchObject({ remaining: 1 });
      expect(await read(counter, { remaining: 2, after: 2 }, window)).toMatchObject({ remaining: 2 });
    });

    it('follow the maximum that the network states', async () => {
      const counter = aCounter(limit);
      const taken = await take(counter);
      const said = { remaining: 49, max: 50 };
      expect(await read(counter, said, taken?.windowEndsAt)).toMatchObject({ remaining: 49, max: 50 });
      await age(counter, DAY_MS * 2);
      expect(await take(counter)).toMatchObject({ granted: 1, max: 50, remaining: 49 });
    });
  });

  it('count nothing of a limit without a published number, and believe its network', async () => {
    const counter = aCounter({ ...rolling, name: 'percent-of-calls', max: null });
    expect(await take(counter, 500)).toMatchObject({ granted: 500, freeInMs: 0 });
    expect(await level(counter)).toEqual({ max: null, remaining: null, resetsAt: null });
    await read(counter, { remaining: 40, max: 100 });
    expect(await take(counter, 500)).toMatchObject({ granted: 500, remaining: 40, max: 100 });
    await read(counter, { remaining: 90, max: 100 });
    expect(await level(counter)).toMatchObject({ remaining: 90, max: 100 });
    await read(counter, { remaining: 0, max: 100 });
    const refused = await take(counter);
    expect(refused).toMatchObject({ granted: 0, remaining: 0 });
    expect(refused?.freeInMs).toBeLessThanOrEqual(HOUR_MS);
    await age(counter, 2 * HOUR_MS);
    expect(await take(counter)).toMatchObject({ granted: 1 });
    const resetsAt = new Date(Date.now() + 3 * HOUR_MS).toISOString();
    await read(counter, { remaining: 0, max: 100, resetsAt });
    expect(await level(counter)).toEqual({ max: 100, remaining: 0, resetsAt });
  });

  it('let uses of a rolling window leave one after the other', async () => {
    const counter = aCounter(rolling);
    await take(counter, 2);
    await age(counter, 20 * HOUR_MS);
    await take(counter);
    expect(await take(counter)).toMatchObject({ granted: 0 });
    await age(counter, 5 * HOUR_MS);
    expect(await take(counter, 3)).toMatchObject({ granted: 2 });
  });

  it('end a fixed window when the network says so, within reason', async () => {
    const counter = aCounter(fixed);
    const taken = await take(counter, 3);
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const at = inMinutes(10);
    expect(await read(counter, { resetsAt: at }, taken?.windowEndsAt)).toMatchObject({ windowEndsAt: at });
    expect(await level(counter)).toMatchObject({ remaining: 0, resetsAt: at });
    const absurd = await read(counter, { resetsAt: '2099-01-01T00:00:00.000Z' });
    expect(absurd?.freeInMs).toBeLessThanOrEqual(2 * HOUR_MS);
  });

  it('close a rolling window until the time that the network states', async () => {
    const counter = aCounter(rolling);
    await take(counter);
    const resetsAt = new Date(Date.now() + HOUR_MS).toISOString();
    await read(counter, { remaining: 0, resetsAt });
    expect(await level(counter)).toMatchObject({ remaining: 0, resetsAt });
    const refused = await take(counter);
    expect(refused).toMatchObject({ granted: 0 });
    await read(counter, { remaining: 2, after: refused?.taken });
    expect(await take(counter)).toMatchObject({ granted: 1 });
  });

  it('apply nothing that a network said of a window that is over', async () => {
    const counter = aCounter(fixed);
    const former = await take(counter, 3);
    await age(counter, HOUR_MS * 1.1);
    const taken = await take(counter);
    expect(taken).toMatchObject({ granted: 1, remaining: 2 });
    expect(await read(counter, { remaining: 0 }, former?.windowEndsAt)).toMatchObject({ remaining: 2 });
    const gone = new Date(Date.now() - 60_000).toISOString();
    expect(await read(counter, { remaining: 0, resetsAt: gone })).toMatchObject({ remaining: 2 });
    const back = { returned: 1, ofWindow: former?.windowEndsAt ?? null };
    expect(await change(counter, back)).toMatchObject({ remaining: 2 });
  });

  it('end days at midnight in their zone', async () => {
    const counter = aCounter(daily);
    const { windowEndsAt = '' } = (await take(counter)) ?? {};
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'medium' });
    expect(clock.format(new Date(windowEndsAt))).toBe('00:00:00');
    expect(Date.parse(windowEndsAt) - Date.now()).toBeLessThanOrEqual(25 * HOUR_MS);
  });

  it('are deleted when nothing counts in them', async () => {
    const [old, current] = [aCounter(rolling), aCounter(rolling)];
    await take(old);
    await age(old, 3 * DAY_MS);
    await take(current);
    await usage.sweep();
    expect([await level(old), await level(current)]).toEqual([
      undefined,
      expect.objectContaining({ remaining: 2 }),
    ]);
    expect(await take(old)).toMatchObject({ granted: 1, taken: 1 });
  });
});
