import { readXError } from './x-errors.js';
import { addressIn, expiryIn, wordsIn } from '../values.js';
import { idIn, waitIn } from './x-values.js';

describe('what is taken from an answer of X', () => {
  const now = new Date('2026-01-15T10:00:00.000Z');
  const seconds = (ahead: number) => String(now.getTime() / 1000 + ahead);

  it.each([
    ['1861', '1861'],
    ['', null],
    ['17\u0000', null],
    ['7'.repeat(26), null],
    ['<script>', null],
    [17, null],
  ])('takes %j for the id %j', (value, expected) => {
    expect(idIn(value)).toBe(expected);
  });

  it.each([
    ['Ac\u0000me\n', 'Acme'],
    ['\ud800half', 'half'],
    ['👨‍👩‍👧 Ünïcode', '👨‍👩‍👧 Ünïcode'],
    ['\u202Eemca', 'emca'],
    ['a'.repeat(1_000), 'a'.repeat(20)],
    [`${'a'.repeat(19)}🎉`, 'a'.repeat(19)],
    ['\u0000', null],
    [7, null],
  ])('takes %j for the words %j', (value, expected) => {
    expect(wordsIn(value, 20)).toBe(expected);
  });

  it.each([
    ['https://pbs.twimg.com/a.png', 'https://pbs.twimg.com/a.png'],
    ['https://example.com/\u0000a', 'https://example.com/%00a'],
    ['javascript:alert(1)', null],
    [`https://example.com/${'a'.repeat(3_000)}`, null],
    ['no address', null],
  ])('takes %j for the address %j', (value, expected) => {
    expect(addressIn(value)).toBe(expected);
  });

  it.each([
    [{ 'x-rate-limit-reset': seconds(900) }, 900_000],
    [{ 'x-rate-limit-reset': seconds(-5), 'retry-after': '60' }, 60_000],
    [{ 'x-rate-limit-reset': '99999999999999999', 'retry-after': '60' }, 60_000],
    [{ 'x-rate-limit-reset': '99999999999999999' }, null],
    [{ 'x-rate-limit-reset': seconds(90_000) }, null],
    [
      {
        'x-rate-limit-remaining': '9',
        'x-rate-limit-reset': seconds(60),
        'x-user-limit-24hour-remaining': '0',
        'x-user-limit-24hour-reset': seconds(7_200),
      },
      7_200_000,
    ],
    [
      {
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': seconds(60),
        'x-app-limit-24hour-remaining': '0',
        'x-app-limit-24hour-reset': seconds(3_600),
      },
      3_600_000,
    ],
    [{ 'x-rate-limit-remaining': '9', 'x-rate-limit-reset': seconds(60), 'retry-after': '5' }, 5_000],
    [{ date: now.toUTCString(), 'retry-after': new Date(now.getTime() + 60_000).toUTCString() }, 60_000],
    [{ 'retry-after': '1e300' }, null],
    [{ 'retry-after': 'Wed, 21 Oct' }, null],
    [{}, null],
  ])('reads of %j that the limit ends in %j milliseconds', (headers, expected) => {
    expect(waitIn(headers, now)).toBe(expected);
  });

  it.each([-120, 120])('reads the same with its own clock %i seconds off that of X', (off) => {
    const date = new Date(now.getTime() + off * 1000).toUTCString();
    expect(waitIn({ date, 'x-rate-limit-reset': seconds(off + 60) }, now)).toBe(60_000);
    expect(waitIn({ date, 'x-rate-limit-reset': seconds(off - 1) }, now)).toBeNull();
    expect(waitIn({ date: 'today', 'x-rate-limit-reset': seconds(60) }, now)).toBe(60_000);
  });

  it('takes no end of a token that cannot be one', () => {
    expect(expiryIn(7200, now)).toBe('2026-01-15T12:00:00.000Z');
    expect(expiryIn('7200', now)).toBe('2026-01-15T12:00:00.000Z');
    expect([1e300, -1, Infinity, '7200s'].map((value) => expiryIn(value, now))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('keeps a code short and clean', () => {
    expect(readXError(400, { type: 'https://api.x.com/2/problems/odd\u0000thing' }).networkCode).toBe(
      'oddthing',
    );
    expect(readXError(400, { errors: [{ code: '7'.repeat(100_000) }] }).networkCode).toHaveLength(100);
    expect(readXError(400, { type: 'a/\u0000', reason: '\ud800', code: 186 }).networkCode).toBe('186');
  });
});
