import { retryAfterIn } from './retry-after.js';

const date = 'Thu, 15 Jan 2026 10:00:00 GMT';

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '60' }, 60_000],
    [{ 'retry-after': ' 1.5 ' }, 1_500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '60' }, 250],
    [{ 'retry-after': 'Thu, 15 Jan 2026 10:02:00 GMT', date }, 120_000],
    [{ 'retry-after': 'Thu, 15 Jan 2026 09:02:00 GMT', date }, null],
    [{ 'retry-after': 'Thu, 15 Jan 2026 10:02:00 GMT' }, null],
    [{ 'retry-after': 'soon', date }, null],
    [{ 'retry-after': '' }, null],
    [{ 'retry-after': '-1' }, null],
    [{ 'retry-after': '1e400' }, null],
    [{}, null],
  ])('%j asks to wait for %j milliseconds', (headers, expected) => {
    expect(retryAfterIn(headers)).toBe(expected);
  });
});
