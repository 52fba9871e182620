import { KeyedMutex } from './cards.mutex.js';

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
});
