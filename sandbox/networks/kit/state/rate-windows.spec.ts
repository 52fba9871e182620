import { FixedClock } from '#libs/clock/testing';
import { RateWindows } from './rate-windows.js';

const limit = { limit: 2, windowSeconds: 900 };

describe('a rate window', () => {
  it('lets the limit pass and opens again at the reset it announced', () => {
    const clock = new FixedClock(new Date('2026-01-01T00:00:00Z'));
    const windows = new RateWindows(clock);
    const reset = clock.now().getTime() / 1000 + 900;
    expect(windows.take('a', limit)).toEqual({ allowed: true, limit: 2, remaining: 1, reset });
    clock.advance(899_000);
    expect(windows.take('a', limit)).toEqual({ allowed: true, limit: 2, remaining: 0, reset });
    expect(windows.take('a', limit)).toEqual({ allowed: false, limit: 2, remaining: 0, reset });
    expect(windows.take('b', limit).allowed).toBe(true);
    clock.advance(1_000);
    expect(windows.take('a', limit)).toEqual({ allowed: true, limit: 2, remaining: 1, reset: reset + 900 });
  });
});
