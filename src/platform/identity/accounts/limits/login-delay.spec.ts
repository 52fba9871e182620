import { delayAfter, LOGIN_POLICIES } from './login-delay.js';

describe('the delay after failed sign-ins', () => {
  const policy = { freeFailures: 3, maxSeconds: 60 };

  it.each([
    [0, 0],
    [3, 0],
    [4, 1],
    [5, 2],
    [6, 4],
    [9, 32],
    [10, 60],
    [1_000_000, 60],
  ])('is, after %d failures, %d seconds', (failures, seconds) => {
    expect(delayAfter(failures, policy)).toBe(seconds);
  });

  it('is at most a minute for the counter of an account, which an attacker can raise', () => {
    expect(delayAfter(1_000_000, LOGIN_POLICIES.account)).toBe(60);
  });
});
