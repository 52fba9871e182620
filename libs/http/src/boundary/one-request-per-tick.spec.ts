import { setImmediate as turn } from 'node:timers/promises';
import { OnePerTick } from './one-request-per-tick.middleware.js';

describe('Turns', () => {
  it('begins work in the order of its arrival', async () => {
    const turns = new OnePerTick();
    const begun: number[] = [];
    await new Promise<void>((resolve) => {
      for (const number of [1, 2, 3]) turns.add(() => begun.push(number));
      turns.add(resolve);
    });
    expect(begun).toEqual([1, 2, 3]);
  });

  it('does not begin work in the turn that adds it', () => {
    let begun = false;
    new OnePerTick().add(() => (begun = true));
    expect(begun).toBe(false);
  });

  it('lets work that has begun go on before the next begins', async () => {
    const turns = new OnePerTick();
    const steps: string[] = [];
    const work = async (name: string, done: () => void) => {
      for (const step of [1, 2, 3]) {
        steps.push(`${name}${step}`);
        await Promise.resolve();
      }
      done();
    };
    await new Promise<void>((resolve) => {
      turns.add(() => void work('a', () => undefined));
      turns.add(() => void work('b', resolve));
    });
    expect(steps).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
  });

  it('takes one piece of work a turn', async () => {
    const turns = new OnePerTick();
    let begun = 0;
    for (let added = 0; added < 20; added += 1) turns.add(() => (begun += 1));
    for (let expected = 1; expected <= 20; expected += 1) {
      await turn();
      expect(begun).toBe(expected);
    }
  });

  it('begins work that is added while other work begins', async () => {
    const turns = new OnePerTick();
    await expect(new Promise((resolve) => turns.add(() => turns.add(() => resolve('begun'))))).resolves.toBe(
      'begun',
    );
  });
});
