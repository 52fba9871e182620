import { Stopwatch } from './media-process.js';

describe('Stopwatch', () => {
  let expired: number;
  let time: Stopwatch;

  beforeEach(() => {
    jest.useFakeTimers();
    expired = 0;
    time = new Stopwatch(10_000, () => (expired += 1));
    time.start();
  });
  afterEach(() => time.stop());

  it('expires once, after the limit', () => {
    jest.advanceTimersByTime(9_999);
    expect(expired).toBe(0);
    jest.advanceTimersByTime(1);
    expect(expired).toBe(1);
    jest.advanceTimersByTime(60_000);
    expect(expired).toBe(1);
  });

  it('does not count the time of waiting, while the waiting is reported', () => {
    jest.advanceTimersByTime(6_000);
    for (let second = 0; second < 100; second += 1) {
      time.pause();
      jest.advanceTimersByTime(1_000);
    }
    time.start();
    jest.advanceTimersByTime(3_000);
    expect(expired).toBe(0);
    jest.advanceTimersByTime(1_000);
    expect(expired).toBe(1);
  });

  it('expires when a waiting process stops reporting', () => {
    time.pause();
    jest.advanceTimersByTime(14_000);
    expect(expired).toBe(0);
    jest.advanceTimersByTime(2_000);
    expect(expired).toBe(1);
  });

  it('does not expire after stop', () => {
    time.stop();
    jest.advanceTimersByTime(60_000);
    expect(expired).toBe(0);
  });
});
