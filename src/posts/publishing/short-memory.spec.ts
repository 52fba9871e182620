import { FixedClock } from '#libs/clock/testing';
import { ShortMemory } from './short-memory.js';

describe('a short memory', () => {
  it('knows an id for its time, counted anew when it is told again', () => {
    const clock = new FixedClock();
    const memory = new ShortMemory(clock, 60_000);
    memory.add('a');
    memory.add('b');
    expect(memory.ids).toEqual(['a', 'b']);
    clock.advance(59_999);
    memory.add('b');
    clock.advance(1);
    expect([memory.has('a'), memory.has('b'), memory.has('c')]).toEqual([false, true, false]);
    expect(memory.ids).toEqual(['b']);
    clock.advance(59_999);
    expect(memory.ids).toEqual([]);
  });
});
