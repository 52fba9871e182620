import { readingsIn } from './x-limits.js';

const response = (headers: Record<string, string>) => ({ status: 201, headers, body: {} });

describe('what X says about its limits', () => {
  it('is read from the response to a post, of the account and of this service', () => {
    const headers = {
      'x-rate-limit-limit': '100',
      'x-rate-limit-remaining': '7',
      'x-rate-limit-reset': '1768471200',
      'x-app-limit-24hour-remaining': '0',
      'x-user-limit-24hour-remaining': '3',
      'x-user-limit-24hour-limit': '17',
    };
    expect(readingsIn(response(headers))).toEqual([
      { name: 'posts-per-15-minutes', remaining: 7, resetsAt: '2026-01-15T10:00:00.000Z', max: 100 },
      { name: 'posts-per-day', remaining: 0, resetsAt: null, max: null },
      { name: 'posts-of-account-per-day', remaining: 3, resetsAt: null, max: 17 },
    ]);
  });

  it.each(['', '-1', '1.5', 'many', '9'.repeat(13)])('ignores %j', (remaining) => {
    expect(readingsIn(response({ 'x-rate-limit-remaining': remaining }))).toEqual([]);
  });
});
