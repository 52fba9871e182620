import { IMAGE_MEMORY_MIB, ImageMemory } from './image-limits.js';

/** An answer that takes half of it. */
const HALF = (IMAGE_MEMORY_MIB * 1_048_576) / 8;

describe('the memory of pictures', () => {
  it('is bounded whatever the number of answers, and freed', async () => {
    const memory = new ImageMemory();
    let [held, most, stored] = [0, 0, 0];
    const one = () =>
      memory.holding(async (reserve) => {
        await reserve(HALF);
        held += 1;
        most = Math.max(most, held);
        await new Promise(setImmediate);
        held -= 1;
        stored += 1;
      });
    await Promise.all(Array.from({ length: 50 }, one));
    expect([most, held, stored]).toEqual([2, 0, 50]);
  });

  it('is freed by work that fails, and by a second reservation', async () => {
    const memory = new ImageMemory();
    const failing = memory.holding(async (reserve) => {
      await reserve(2 * HALF);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await memory.holding(async (reserve) => {
      await reserve(2 * HALF);
      await reserve(2 * HALF);
    });
  });

  it('has room for one answer that is larger than it', async () => {
    await new ImageMemory().holding((reserve) => reserve(1_000 * HALF));
  });
});
