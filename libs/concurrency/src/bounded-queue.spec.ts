import { BoundedQueue } from './bounded-queue.js';

const LIMITS = { total: 100, perOrigin: 50, unknownTotal: 100 };
const refusal = () => new Error('full');

describe('a bounded queue', () => {
  /** One work item runs until `free`. @returns how to add others, and what ran */
  const busy = (limits: typeof LIMITS & { milliseconds?: number } = LIMITS) => {
    const queue = new BoundedQueue(1, limits, refusal);
    const { promise, resolve: free } = Promise.withResolvers<void>();
    const first = queue.run({ name: 'first' }, () => promise);
    const ran: string[] = [];
    const add = (name: string, isKnown = false) =>
      queue.run({ name: name.charAt(0), isKnown }, () => Promise.resolve(void ran.push(name)));
    return { add, ran, free, first };
  };

  it('takes the origins in turn, and the work of each in its order', async () => {
    const { add, ran, free } = busy();
    const added = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => add(name));
    free();
    await Promise.all(added);
    expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('alternates between known and unknown origins', async () => {
    const { add, ran, free } = busy();
    const added = [add('a1'), add('a2'), add('b1', true), add('c1', true)];
    free();
    await Promise.all(added);
    expect(ran).toEqual(['b1', 'a1', 'c1', 'a2']);
  });

  it('refuses what waits longer than it may, and runs what comes later', async () => {
    const { add, ran, free, first } = busy({ ...LIMITS, milliseconds: 1 });
    await expect(Promise.all([add('a1'), add('b1')])).rejects.toThrow('full');
    await expect(add('a2')).rejects.toThrow('full');
    free();
    await first;
    await add('a3');
    expect(ran).toEqual(['a3']);
  });

  it('counts no place for what waits no longer', async () => {
    const { add, free, first } = busy({ ...LIMITS, total: 1, milliseconds: 1 });
    await expect(add('a1')).rejects.toThrow('full');
    const second = add('a2');
    await expect(add('a3')).rejects.toThrow('full');
    free();
    await first;
    await second.catch(() => undefined);
  });
});
