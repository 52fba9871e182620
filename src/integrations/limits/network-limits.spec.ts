import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Platform } from '#libs/content';
import type { NetworkLimit } from '../domain/network-limits.js';
import { counterOf } from './counters.js';
import { NetworkLimits } from './network-limits.js';

const limit: NetworkLimit = {
  name: 'posts',
  scope: 'account',
  counts: 'posts',
  max: 3,
  window: { kind: 'fixed', windowMs: 1_000 },
};
const provider = { platform: 'x' as Platform, limits: () => [limit] };
const metered = { connectionId: 'c', account: { accountId: '7', username: 'acme', facts: {} } };

describe('the count of a call that was made', () => {
  afterEach(() => jest.restoreAllMocks());

  it('cannot make the call look as if it had not been made', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const queue = {
      take: (counters: readonly object[]) =>
        Promise.resolve(counters.map((counter) => ({ counter, isGranted: true }))),
      learn: () => {
        throw new RangeError('Invalid time value');
      },
    };
    const granted = { of: () => [limit] };
    const limits = new NetworkLimits(granted as never, queue as never, {} as never, {} as never);
    const readings = [{ name: 'posts', remaining: 1, resetsAt: null, max: null }];
    const published = { kind: 'published', readings } as const;
    await expect(
      limits.around(provider as never, metered, 'post', () => Promise.resolve(published)),
    ).resolves.toBe(published);
    expect(logged).toHaveBeenCalledTimes(1);
  });
});

it('counts a reading with its use, also when that was taken together with those of other calls', async () => {
  // One object for all calls whose uses one statement takes; providers may build their limits for each call.
  const use = { counter: counterOf('x', '7', { ...limit }), isGranted: true };
  const learn = jest.fn();
  const queue = { take: () => Promise.resolve([use]), learn };
  const granted = { of: () => [limit] };
  const limits = new NetworkLimits(granted as never, queue as never, {} as never, {} as never);
  const reading = { name: 'posts', remaining: 1, resetsAt: null, max: null };
  const published = { kind: 'published', readings: [reading] };
  await limits.around(provider, metered, 'post', () => Promise.resolve(published));
  expect(learn).toHaveBeenCalledWith(expect.objectContaining({ limit }), use, reading);
});
