import { setImmediate } from 'node:timers/promises';
import { EventStream, sse } from './event-stream.js';

/** An iterator whose events a test gives one by one. */
function events() {
  let asked = 0;
  let ended = 0;
  const waiting: ((value: IteratorResult<string, undefined>) => void)[] = [];
  return {
    iterator: {
      next: () => {
        asked += 1;
        return new Promise<IteratorResult<string, undefined>>((resolve) => waiting.push(resolve));
      },
      return: () => {
        ended += 1;
        return Promise.resolve({ done: true as const, value: undefined });
      },
    },
    give: (value: string) => waiting.shift()?.({ done: false, value }),
    end: () => waiting.shift()?.({ done: true, value: undefined }),
    counts: () => ({ asked, ended }),
  };
}

describe('server-sent events as a body', () => {
  it('write JSON on one line', () => {
    expect(sse('delta', { text: 'a\nb' })).toBe('event: delta\ndata: {"text":"a\\nb"}\n\n');
  });

  it('are sent as they come, and end with the iterator', async () => {
    const source = events();
    const stream = new EventStream(source.iterator);
    const all = stream.toArray();
    await setImmediate();
    source.give('one');
    await setImmediate();
    source.give('two');
    await setImmediate();
    source.end();
    expect(Buffer.concat((await all) as Buffer[]).toString()).toBe('onetwo');
  });

  it('are passed on together when they came together', async () => {
    async function* source(): AsyncGenerator<string, undefined> {
      for (let event = 0; event < 20; event += 1) yield await Promise.resolve(`${event};`);
    }
    const stream = new EventStream(source());
    let received = 0;
    stream.on('data', () => (received += 1));
    await new Promise<void>((resolve) => stream.once('data', () => process.nextTick(resolve)));
    // The socket is written to at the end of the tick.
    expect(received).toBe(20);
    await new Promise((resolve) => stream.once('close', resolve));
  });

  it('have comments while no event comes, and none otherwise', async () => {
    const source = events();
    const stream = new EventStream(source.iterator, 1);
    const received: string[] = [];
    stream.on('data', (chunk: Buffer) => received.push(chunk.toString()));
    while (received.length < 2) await setImmediate();
    expect(new Set(received)).toEqual(new Set([': keep-alive\n\n']));
    stream.destroy();
  });

  it('are not asked for while the client does not read', async () => {
    const source = events();
    const stream = new EventStream(source.iterator, 1);
    stream.read(0);
    source.give('x'.repeat(10_000));
    await setImmediate();
    expect(source.counts().asked).toBe(1);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(stream.readableLength).toBe(10_000);
    stream.destroy();
  });

  it('end their iterator when the client leaves', async () => {
    const source = events();
    const stream = new EventStream(source.iterator);
    stream.read(0);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(source.counts().ended).toBe(1);
  });
});
