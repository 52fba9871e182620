import { SystemClock } from './index.js';
import { FixedClock } from './testing/index.js';

describe('clocks', () => {
  it('the system clock moves forward', () => {
    const clock = new SystemClock();
    const first = clock.monotonic();
    expect(clock.monotonic()).toBeGreaterThanOrEqual(first);
    expect(Math.abs(clock.now().getTime() - new Date().getTime())).toBeLessThan(1000);
  });

  it('the fixed clock moves only on request, and a jump does not change monotonic time', () => {
    const clock = new FixedClock(new Date('2026-01-01T00:00:00Z'));
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe('2026-01-01T00:00:01.500Z');
    clock.jumpTo(new Date('2020-01-01T00:00:00Z'));
    expect(clock.now().getUTCFullYear()).toBe(2020);
    expect(clock.monotonic()).toBe(1500);
  });
});
