import { jest } from '@jest/globals';
import { DatabaseIsUnavailable } from '#libs/database';
import { waitUntil } from '../../../../../../test/support/wait-until.js';
import { Combiner, type CombinerLimits } from './combiner.js';

const ALL_TOGETHER: CombinerLimits = { most: 100, runs: 1, gatherMs: 0 };

describe('the combiner of calls', () => {
  const runs: number[][] = [];
  const combinerOf = (
    refuse: (items: readonly number[]) => void = () => undefined,
    limits: Partial<CombinerLimits> = {},
  ) =>
    new Combiner<number, number>(
      async (items) => {
        runs.push([...items]);
        await Promise.resolve();
        refuse(items);
        return items.map((item) => item * 10);
      },
      { ...ALL_TOGETHER, ...limits },
    );

  beforeEach(() => runs.splice(0));

  it('runs the first call at once, the others of its turn together, and answers each', async () => {
    const combiner = combinerOf();
    expect(await Promise.all([1, 2, 3].map((item) => combiner.add(item)))).toEqual([10, 20, 30]);
    expect(runs).toEqual([[1], [2, 3]]);
  });

  it('runs the calls that arrive during a run together afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    const combiner = new Combiner<number, number>(async (items) => {
      runs.push([...items]);
      await gate.promise;
      return items;
    }, ALL_TOGETHER);
    const first = combiner.add(1);
    const later = [combiner.add(2), combiner.add(3)];
    gate.resolve();
    await Promise.all([first, ...later]);
    expect(runs).toEqual([[1], [2, 3]]);
  });

  it('runs a call that is added the moment the last one is answered', async () => {
    const combiner = combinerOf();
    await combiner.add(1);
    expect(await combiner.add(2).then(() => combiner.add(3))).toBe(30);
  });

  it('runs no more at once than it may', async () => {
    const combiner = combinerOf(undefined, { most: 2 });
    await Promise.all([1, 2, 3, 4].map((item) => combiner.add(item)));
    expect(runs).toEqual([[1], [2, 3], [4]]);
  });

  it('runs calls concurrently, and no more than it may', async () => {
    const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
    const combiner = new Combiner<number, number>(
      async (items) => {
        runs.push([...items]);
        await gates[runs.length - 1]?.promise;
        return items;
      },
      { ...ALL_TOGETHER, runs: 2 },
    );
    const added = [1, 2, 3, 4].map((item) => combiner.add(item));
    expect(runs).toEqual([[1], [2]]);
    gates[1]?.resolve();
    await waitUntil(() => runs.length === 3);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(added)).toEqual([1, 2, 3, 4]);
    expect(runs).toEqual([[1], [2], [3, 4]]);
  });

  it('gathers the calls of several turns before it runs', async () => {
    const combiner = combinerOf(undefined, { gatherMs: 1_000 });
    jest.useFakeTimers();
    const first = combiner.add(1);
    await Promise.resolve();
    const second = combiner.add(2);
    jest.advanceTimersByTime(1_000);
    jest.useRealTimers();
    expect(await Promise.all([first, second])).toEqual([10, 20]);
    expect(runs).toEqual([[1, 2]]);
  });

  it('fails only the call that cannot be stored', async () => {
    const combiner = combinerOf((items) => {
      if (items.includes(2)) throw new RangeError('Two is too much.');
    });
    const answers = await Promise.allSettled([1, 2, 3].map((item) => combiner.add(item)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails all calls while the database is gone, and runs later ones', async () => {
    let isGone = true;
    const combiner = combinerOf(() => {
      if (isGone) throw new DatabaseIsUnavailable(new Error('gone'));
    });
    const answers = await Promise.allSettled([1, 2, 3].map((item) => combiner.add(item)));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toEqual([[1], [2, 3]]);
    isGone = false;
    expect(await combiner.add(3)).toBe(30);
  });
});
