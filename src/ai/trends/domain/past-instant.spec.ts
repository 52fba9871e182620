import { pastInstant } from './past-instant.js';

const NOW = '2026-11-23T12:00:00.000Z';

describe('the date of an item', () => {
  it.each([
    ['Mon, 23 Nov 2026 10:00:00 GMT', '2026-11-23T10:00:00.000Z'],
    ['Mon, 23 Nov 2026 10:00:00 +0200', '2026-11-23T08:00:00.000Z'],
    ['23 Nov 2026 06:00 EST', '2026-11-23T11:00:00.000Z'],
    ['1 September 2026 10:00:00 Z', '2026-09-01T10:00:00.000Z'],
    ['01 Jan 99 00:00:00 GMT', '1999-01-01T00:00:00.000Z'],
    ['2026-11-23T10:00:00Z', '2026-11-23T10:00:00.000Z'],
    ['2026-11-23T10:00:00.123456+05:30', '2026-11-23T04:30:00.000Z'],
    ['2026-11-23 10:00', '2026-11-23T10:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['1970-01-01T00:00:01Z', '1970-01-01T00:00:01.000Z'],
  ])('%s is %s', (text, instant) => expect(pastInstant(text, NOW)).toBe(instant));

  it.each([
    ['in the future', '2026-11-23T12:00:01Z'],
    ['in the future by its zone', 'Mon, 23 Nov 2026 10:00:00 -0800'],
    ['far away', '9999-12-31'],
    ['no date of .NET', '0001-01-01T00:00:00Z'],
    ['before the first year', '0001-01-01T00:00:00+01:00'],
    ['no date of Unix', '1970-01-01T00:00:00Z'],
    ['not of the calendar', '2026-02-30'],
    ['not a time', '2026-11-22T25:00:00Z'],
    ['words', 'yesterday'],
    ['a number', 1_700_000_000],
    ['a number as text', '1700000000'],
    ['long', `${' '.repeat(100)}2026-11-20`],
    ['missing', undefined],
  ])('is unknown when it is %s', (_, text) => expect(pastInstant(text, NOW)).toBeNull());
});
