import { KeyedMutex } from './keyed-mutex.js';

describe('a keyed mutex', () => {
  it('runs work of one key one after the other, in the order asked, also after one that failed', async () => {
    const mutex = new KeyedMutex();
    const said: string[] = [];
    const work = (name: string) => async () => {
      said.push(`${name} begins`);
      await Promise.resolve();
      said.push(`${name} ends`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const asked = ['a', 'b', 'c'].map((name) => mutex.runExclusive('card', work(name)));
    const ends = (await Promise.allSettled(asked)).map(({ status }) => status);
    expect(ends).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(await mutex.runExclusive('card', work('d'))).toBe('d');
  });

  it('lets work of different keys run at once', async () => {
    const mutex = new KeyedMutex();
    const free = Promise.withResolvers<string>();
    const held = mutex.runExclusive('one', () => free.promise);
    expect(await mutex.runExclusive('other', () => Promise.resolve('done'))).toBe('done');
    free.resolve('free');
    expect(await held).toBe('free');
  });

  it('keeps nothing of a key that is idle, and all of one that is not', async () => {
    const mutex = new KeyedMutex();
    const free = Promise.withResolvers<void>();
    const first = mutex.runExclusive('key', () => free.promise);
    const second = mutex.runExclusive('key', () => Promise.reject(new Error('It failed.')));
    expect(mutex.size).toBe(1);
    free.resolve();
    await first;
    await expect(second).rejects.toThrow('It failed.');
    expect(mutex.size).toBe(0);
  });
});
