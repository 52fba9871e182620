import { Turns } from './cards.turns.js';

describe('turns', () => {
  it('are taken one after the other, in the order asked, also after one that failed', async () => {
    const turns = new Turns();
    const said: string[] = [];
    const work = (name: string) => async () => {
      said.push(`${name} begins`);
      await Promise.resolve();
      said.push(`${name} ends`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const taken = ['a', 'b', 'c'].map((name) => turns.take('card', work(name)));
    const ends = (await Promise.allSettled(taken)).map(({ status }) => status);
    expect(ends).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(await turns.take('card', work('d'))).toBe('d');
  });

  it('of different things do not wait for each other', async () => {
    const turns = new Turns();
    const free = Promise.withResolvers<string>();
    const held = turns.take('one', () => free.promise);
    expect(await turns.take('other', () => Promise.resolve('done'))).toBe('done');
    free.resolve('free');
    expect(await held).toBe('free');
  });
});
