import { afterStatedHold, lateAtOf, windowOf } from './late-window.js';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.parse('2026-01-15T10:00:00.000Z') + hours * HOUR).toISOString();
const hold = (hours: number) => ({ until: at(hours), reason: 'quota_exhausted' });
const post = { scheduledAt: at(0), lateFrom: null };

describe('a post whose network states a hold', () => {
  it.each([
    ['that ends within its late window', undefined, 2, { kind: 'held', until: at(2), lateFrom: at(2) }],
    [
      'that is longer: its late window counts from the end',
      undefined,
      22,
      { kind: 'held', lateFrom: at(22) },
    ],
    ['that ends days later: it fails at once', undefined, 73, { kind: 'failed' }],
    ['within its late window, and is wanted in time only', 'fail', 2, { kind: 'held', until: at(2) }],
    ['that is longer, and is wanted in time only', 'fail', 22, { kind: 'failed' }],
    ['that ends days later, and is wanted however late', 'publish', 100, { kind: 'held', until: at(100) }],
  ] as const)('%s', (_, ifLate, hours, expected) => {
    const lateAt = lateAtOf({ ifLate }, windowOf(post, null), 6 * HOUR);
    expect(afterStatedHold({ ...post, ifLate }, hold(hours), lateAt)).toMatchObject(expected);
  });

  it('says when the hold ends, and what to do', () => {
    const failed = afterStatedHold({ ...post, ifLate: 'fail' }, hold(22), at(6));
    expect(failed).toMatchObject({
      failure: { class: 'missed', code: 'hold_ends_too_late', networkCode: 'quota_exhausted' },
    });
    expect(JSON.stringify(failed)).toContain(at(22));
  });

  it('is late when its window from the end of the hold is over, or after a week if it is wanted however late', () => {
    const moved = windowOf({ scheduledAt: at(0), lateFrom: at(22) }, at(1));
    expect(lateAtOf({}, moved, 6 * HOUR)).toBe(at(28));
    expect(lateAtOf({ ifLate: 'publish' }, moved, 6 * HOUR)).toBe(at(22 + 168));
  });
});
