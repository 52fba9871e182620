import { concurrently } from './concurrently.js';

describe('concurrent work on items', () => {
  it('takes each item once, in their order, and no more at a time than it may', async () => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    await concurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      begun.push(item);
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
    expect(running).toBe(0);
  });

  it('fails with the first error', async () => {
    const work = (item: number) => (item === 2 ? Promise.reject(new Error('second')) : Promise.resolve());
    await expect(concurrently([1, 2, 3], 2, work)).rejects.toThrow('second');
    await expect(concurrently([], 2, work)).resolves.toBeUndefined();
  });
});
