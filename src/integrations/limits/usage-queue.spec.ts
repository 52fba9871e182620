import type { LimitReading, NetworkLimit } from '../domain/network-limits.js';
import { type CounterChange, counterOf, type CounterState, keyOf } from './counters.js';
import type { NetworkUsageStore } from './network-usage.store.js';
import { UsageQueue } from './usage-queue.js';

const HOUR_MS = 3_600_000;
const limit = (name: string, scope: NetworkLimit['scope']): NetworkLimit => ({
  ...{ name, scope, counts: 'posts', max: 10 },
  window: { kind: 'fixed', windowMs: HOUR_MS },
});
const app = counterOf('fictional', '7', limit('posts-of-app', 'app'));
const account = (id: string) => counterOf('fictional', id, limit('posts-of-account', 'account'));
const ENDS_AT = '2026-01-15T11:00:00.000Z';

/** Counters in memory, as the statement counts them. */
class CountersInMemory {
  readonly statements: CounterChange[][] = [];
  private readonly used = new Map<string, number>();
  fails = false;

  change(changes: CounterChange[]): Promise<Map<string, CounterState>> {
    this.statements.push(changes);
    if (this.fails) return Promise.reject(new Error('The database is gone.'));
    return Promise.resolve(new Map(changes.map((each) => [keyOf(each.counter), this.changed(each)])));
  }

  private changed({ counter, wanted, returned }: CounterChange): CounterState {
    const max = counter.limit.max ?? 0;
    const before = (this.used.get(keyOf(counter)) ?? 0) - returned;
    const granted = Math.min(wanted, max - before);
    const taken = before + granted;
    this.used.set(keyOf(counter), taken);
    const freeInMs = taken < max ? 0 : HOUR_MS;
    return { granted, taken, remaining: max - taken, max, windowEndsAt: ENDS_AT, freeInMs };
  }
}

describe('the queue of uses of network limits', () => {
  let counters: CountersInMemory;
  let queue: UsageQueue;

  beforeEach(() => {
    counters = new CountersInMemory();
    queue = new UsageQueue(counters as unknown as NetworkUsageStore);
  });

  const wantedBy = (statement: number) =>
    Object.fromEntries(
      (counters.statements[statement] ?? []).map(({ counter, wanted, returned }) => [
        counter.accountId || 'app',
        wanted - returned,
      ]),
    );
  const reading = (more: Partial<LimitReading>): LimitReading => ({
    ...{ name: 'any', remaining: 9, resetsAt: null, max: null },
    ...more,
  });

  it('takes for all calls of one moment with one statement', async () => {
    const uses = await Promise.all(['1', '2', '3'].map((id) => queue.take([account(id), app])));
    expect(counters.statements).toHaveLength(1);
    expect(wantedBy(0)).toEqual({ app: 3, 1: 1, 2: 1, 3: 1 });
    expect(uses.flat().every(({ isGranted }) => isGranted)).toBe(true);
  });

  it('takes for the calls that begin during a statement with the next one', async () => {
    const first = queue.take([app]);
    await new Promise((resolve) => setImmediate(resolve));
    const later = [queue.take([app]), queue.take([app])];
    await Promise.all([first, ...later]);
    expect(counters.statements.map((changes) => changes[0]?.wanted)).toEqual([1, 2]);
  });

  it('grants a call all it needs or nothing, and returns the rest', async () => {
    await Promise.all(Array.from({ length: 9 }, () => queue.take([account('1')])));
    const uses = await Promise.all([
      queue.take([account('1'), app]),
      queue.take([account('1'), app]),
      queue.take([account('2'), app]),
    ]);
    expect(uses.map((each) => each.map(({ isGranted }) => isGranted))).toEqual([
      [true, true],
      [false, true],
      [true, true],
    ]);
    await queue.end();
    expect(counters.statements.at(-1)).toEqual([
      expect.objectContaining({ counter: app, wanted: 0, returned: 1, ofWindow: ENDS_AT }),
    ]);
  });

  it('returns every use of a rolling window, whichever statement took it', async () => {
    const window = { kind: 'rolling', windowMs: HOUR_MS } as const;
    const counter = counterOf('fictional', '7', { ...limit('calls-of-app', 'app'), window });
    const taken = [await queue.take([counter]), await queue.take([counter])].flat();
    const endsAt = [ENDS_AT, '2026-01-15T11:00:00.350Z'];
    queue.giveBack(taken.map((use, index) => ({ ...use, windowEndsAt: endsAt[index] ?? '' })));
    await queue.end();
    expect(counters.statements.at(-1)).toMatchObject([{ counter, returned: 2 }]);
  });

  it('numbers the uses, so that a reading is known to be the latest of its account', async () => {
    const uses = await Promise.all([1, 2, 3].map(() => queue.take([account('1')])));
    expect(uses.flat().map(({ number }) => number)).toEqual([1, 2, 3]);
    queue.learn(account('1'), uses[1]?.[0], reading({ remaining: 5 }));
    await queue.end();
    expect(counters.statements.at(-1)?.[0]?.reading).toMatchObject({ remaining: 5, after: 2 });
  });

  it('never takes a reading of a limit of the whole service for the latest', async () => {
    const [use] = await queue.take([app]);
    queue.learn(app, use, reading({ remaining: 3 }));
    await queue.end();
    expect(counters.statements.at(-1)?.[0]?.reading).toMatchObject({ remaining: 3, after: null });
  });

  it.each([
    ['what the counter says', account('1'), { remaining: 9 }],
    [
      'the same with the end of the window, by a clock of its own',
      account('1'),
      { resetsAt: '2026-01-15T11:00:01.000Z' },
    ],
    ['that more is left for the service than was counted', app, { remaining: 10 }],
  ])('makes no statement for a reading that says %s', async (_, counter, said) => {
    const [use] = await queue.take([counter]);
    queue.learn(counter, use, reading(said));
    await queue.end();
    expect(counters.statements).toHaveLength(1);
  });

  it.each([
    ['less is left', { remaining: 8 }],
    ['another maximum', { max: 50 }],
    ['another end of the window', { resetsAt: '2026-01-15T10:30:00.000Z' }],
  ])('stores a reading that says %s with the next statement', async (_, said) => {
    const [use] = await queue.take([account('1')]);
    queue.learn(account('1'), use, reading(said));
    await queue.take([account('2')]);
    expect(counters.statements).toHaveLength(2);
    expect(counters.statements[1]?.[0]?.reading).toMatchObject(said);
  });

  it('keeps of several readings the one that leaves least in the latest window', async () => {
    const [use] = await queue.take([app]);
    for (const remaining of [7, 3, 5]) queue.learn(app, use, reading({ remaining }));
    await queue.end();
    expect(counters.statements.at(-1)?.[0]?.reading?.remaining).toBe(3);
  });

  it('fails the calls whose statement fails, and takes for later ones', async () => {
    counters.fails = true;
    await expect(queue.take([app])).rejects.toThrow('gone');
    counters.fails = false;
    expect(await queue.take([app])).toMatchObject([{ isGranted: true }]);
  });
});
