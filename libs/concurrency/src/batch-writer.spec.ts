import { jest } from '@jest/globals';
import { waitUntil } from '../../../test/support/wait-until.js';
import { type BatchLimits, BatchWriter } from './batch-writer.js';

class Outage extends Error {}

const ALL_TOGETHER: BatchLimits<number> = {
  maxBatch: 100,
  concurrency: 1,
  linger: 0,
  failsTogether: (error) => error instanceof Outage,
};

describe('the batch writer', () => {
  const runs: number[][] = [];
  const writerOf = (
    refuse: (items: readonly number[]) => void = () => undefined,
    limits: Partial<BatchLimits<number>> = {},
  ) =>
    new BatchWriter<number, number>(
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
    const writer = writerOf();
    expect(await Promise.all([1, 2, 3].map((item) => writer.add(item)))).toEqual([10, 20, 30]);
    expect(runs).toEqual([[1], [2, 3]]);
  });

  it('runs the calls that arrive during a run together afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    const writer = new BatchWriter<number, number>(async (items) => {
      runs.push([...items]);
      await gate.promise;
      return items;
    }, ALL_TOGETHER);
    const first = writer.add(1);
    const later = [writer.add(2), writer.add(3)];
    gate.resolve();
    await Promise.all([first, ...later]);
    expect(runs).toEqual([[1], [2, 3]]);
  });

  it('runs a call that is added the moment the last one is answered', async () => {
    const writer = writerOf();
    await writer.add(1);
    expect(await writer.add(2).then(() => writer.add(3))).toBe(30);
  });

  it('runs no more at once than it may', async () => {
    const writer = writerOf(undefined, { maxBatch: 2 });
    await Promise.all([1, 2, 3, 4].map((item) => writer.add(item)));
    expect(runs).toEqual([[1], [2, 3], [4]]);
  });

  it('runs calls concurrently, and no more than it may', async () => {
    const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
    const writer = new BatchWriter<number, number>(
      async (items) => {
        runs.push([...items]);
        await gates[runs.length - 1]?.promise;
        return items;
      },
      { ...ALL_TOGETHER, concurrency: 2 },
    );
    const added = [1, 2, 3, 4].map((item) => writer.add(item));
    expect(runs).toEqual([[1], [2]]);
    gates[1]?.resolve();
    await waitUntil(() => runs.length === 3);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(added)).toEqual([1, 2, 3, 4]);
    expect(runs).toEqual([[1], [2], [3, 4]]);
  });

  it('gathers the calls of several turns before it runs', async () => {
    const writer = writerOf(undefined, { linger: 1_000 });
    jest.useFakeTimers();
    const first = writer.add(1);
    await Promise.resolve();
    const second = writer.add(2);
    jest.advanceTimersByTime(1_000);
    jest.useRealTimers();
    expect(await Promise.all([first, second])).toEqual([10, 20]);
    expect(runs).toEqual([[1, 2]]);
  });

  it('fails only the call that cannot be stored', async () => {
    const writer = writerOf((items) => {
      if (items.includes(2)) throw new RangeError('Two is too much.');
    });
    const answers = await Promise.allSettled([1, 2, 3].map((item) => writer.add(item)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails all calls of a batch by an error that concerns them all, and runs later ones', async () => {
    let isGone = true;
    const writer = writerOf(() => {
      if (isGone) throw new Outage();
    });
    const answers = await Promise.allSettled([1, 2, 3].map((item) => writer.add(item)));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toEqual([[1], [2, 3]]);
    isGone = false;
    expect(await writer.add(3)).toBe(30);
  });

  describe('that gathers the items of a turn of the event loop', () => {
    const sent: (readonly string[])[] = [];
    const writer = new BatchWriter<{ name: string; bytes: number }, string>(
      (items) => {
        sent.push(items.map(({ name }) => name));
        if (items.some(({ name }) => name === 'outage')) return Promise.reject(new Outage());
        return Promise.resolve(items.map(({ name }) => `answer to ${name}`));
      },
      {
        ...{ maxBatch: 3, concurrency: Infinity, linger: 'turn', failsTogether: () => true },
        weight: { max: 100, of: ({ bytes }) => bytes },
      },
    );
    const ask = (name: string, bytes = 1) => writer.add({ name, bytes });
    beforeEach(() => sent.splice(0));

    it('sends those of one turn together, and gives each its own result', async () => {
      expect(await Promise.all([ask('a'), ask('b')])).toEqual(['answer to a', 'answer to b']);
      await ask('c');
      expect(sent).toEqual([['a', 'b'], ['c']]);
    });

    it('limits a batch by number', async () => {
      await Promise.all(['a', 'b', 'c', 'd'].map((name) => ask(name)));
      expect(sent).toEqual([['a', 'b', 'c'], ['d']]);
    });

    it('limits a batch by weight, and sends a heavier item alone', async () => {
      await Promise.all([ask('a', 60), ask('b', 60), ask('c', 1_000), ask('d', 40), ask('e', 60)]);
      expect(sent).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
    });

    it('fails all items of one batch', async () => {
      const outcomes = await Promise.allSettled(['a', 'b', 'c', 'outage', 'e'].map((name) => ask(name)));
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, false]);
      expect(await ask('f')).toBe('answer to f');
    });
  });
});
