import { setImmediate as turn } from 'node:timers/promises';
import { TurnBatches } from './turn-batches.js';

describe('Batches of a turn of the event loop', () => {
  const recording = (limits = { items: 3, bytes: 100 }) => {
    const sent: (readonly string[])[] = [];
    const batches = new TurnBatches<string, string>(limits, (items) => {
      sent.push(items);
      if (items.includes('outage')) return Promise.reject(new Error('outage'));
      return Promise.resolve(
        items.map((item) => () => {
          if (item === 'bad') throw new Error('bad');
          return `answer to ${item}`;
        }),
      );
    });
    return { sent, ask: (item: string, bytes = 1) => batches.ask(item, bytes) };
  };

  it('have what is asked in the same turn, and give each its own result', async () => {
    const { sent, ask } = recording();
    const answers = await Promise.all([ask('a'), ask('b')]);
    expect(answers).toEqual(['answer to a', 'answer to b']);
    await ask('c');
    expect(sent).toEqual([['a', 'b'], ['c']]);
  });

  it('are limited by number', async () => {
    const { sent, ask } = recording();
    await Promise.all(['a', 'b', 'c', 'd'].map((item) => ask(item)));
    expect(sent).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('are limited by bytes, and have a larger item alone', async () => {
    const { sent, ask } = recording();
    await Promise.all([ask('a', 60), ask('b', 60), ask('c', 1_000), ask('d', 40), ask('e', 60)]);
    expect(sent).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
  });

  it('fail for one item alone, or for all items of one exchange', async () => {
    const { ask } = recording();
    const outcomes = await Promise.allSettled(['a', 'bad', 'c', 'outage', 'e'].map((item) => ask(item)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    await turn();
    expect(await ask('f')).toBe('answer to f');
  });
});
