import { FixedClock } from '#libs/clock/testing';
import { AttemptTime, shareOf } from './attempt-time.js';
import { Deadline } from '../admit/deadline.js';

const SECOND = 1_000;

describe('the share of an attempt', () => {
  it.each([
    [300, 150],
    [80, 40],
    [50, 30],
    [40, 30],
    [20, 15],
    [4, 3],
  ])('of %d remaining seconds is %d', (remaining, share) => {
    expect(shareOf(remaining * SECOND)).toBe(share * SECOND);
  });
});

describe('the time of an attempt', () => {
  const clock = new FixedClock(new Date('2026-11-23T12:00:00Z'));
  let caller: AbortController;
  const scope: Disposable[] = [];
  beforeEach(() => {
    jest.useFakeTimers();
    caller = new AbortController();
  });
  afterEach(() => {
    for (const each of scope.splice(0)) each[Symbol.dispose]();
    jest.useRealTimers();
  });

  const time = (timeoutMs: number, isLast: boolean, longestMs = timeoutMs) => {
    const deadline = new Deadline(clock, { timeoutMs, longestMs }, caller.signal);
    const attempt = new AttemptTime(deadline, isLast);
    scope.push(deadline, attempt);
    return attempt;
  };
  const pass = (milliseconds: number) => {
    clock.advance(milliseconds);
    jest.advanceTimersByTime(milliseconds);
  };

  it('is a share while another model is left, and its end is silence of the provider', () => {
    const attempt = time(100 * SECOND, false);
    pass(49 * SECOND);
    expect([attempt.signal.aborted, attempt.remainingMs]).toEqual([false, 51 * SECOND]);
    pass(SECOND);
    expect([attempt.signal.aborted, attempt.saysNothing]).toEqual([true, false]);
  });

  it('is all that remains for the last model, whose silence counts too', () => {
    const attempt = time(100 * SECOND, true);
    pass(99 * SECOND);
    expect(attempt.signal.aborted).toBe(false);
    pass(SECOND);
    expect([attempt.signal.aborted, attempt.saysNothing]).toEqual([true, false]);
  });

  it.each([true, false])('shorter than 30 seconds, it says nothing about the provider', (isLast) => {
    const attempt = time(20 * SECOND, isLast);
    pass(20 * SECOND);
    expect([attempt.signal.aborted, attempt.saysNothing]).toEqual([true, true]);
  });

  it.each([
    [30_050, true],
    [150_000, false],
  ])(
    'with %d of 300000 ms that the caller chose, it says nothing about the provider',
    (timeoutMs, isLast) => {
      const attempt = time(timeoutMs, isLast, 300 * SECOND);
      pass(timeoutMs);
      expect([attempt.signal.aborted, attempt.saysNothing]).toEqual([true, true]);
    },
  );

  it.each([
    [300, false],
    [290, false],
    [120, true],
  ])('with %d of 300 seconds, its end is silence of the provider', (seconds, isLast) => {
    const attempt = time(seconds * SECOND, isLast, 300 * SECOND);
    pass(attempt.limitMs);
    expect([attempt.signal.aborted, attempt.saysNothing]).toEqual([true, false]);
  });

  it('of a stream with content is that of the request, and its end says nothing', () => {
    const attempt = time(100 * SECOND, false);
    attempt.begun();
    pass(99 * SECOND);
    expect(attempt.signal.aborted).toBe(false);
    pass(SECOND);
    expect([attempt.signal.aborted, attempt.saysNothing]).toEqual([true, true]);
  });

  it('ends when the caller leaves, which says nothing', () => {
    const attempt = time(100 * SECOND, false);
    caller.abort(new Error('left'));
    expect([attempt.signal.reason, attempt.saysNothing]).toEqual([new Error('left'), true]);
  });

  it('ends nothing after its own end', () => {
    const attempt = time(100 * SECOND, false);
    for (const each of scope.splice(0)) each[Symbol.dispose]();
    pass(200 * SECOND);
    expect(attempt.signal.aborted).toBe(false);
  });
});
