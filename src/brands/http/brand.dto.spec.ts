import { timezoneNamed } from './brand.dto.js';

describe('a time zone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['Asia/Kathmandu', 'Asia/Kathmandu'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ])('%s is %s', (given, kept) => expect(timezoneNamed(given)).toBe(kept));

  it.each(['Berlin', '+02:00', '', 'Europe/Berlin; DROP', 5, null, undefined, 'x'.repeat(65)])(
    '%s is none',
    (given) => expect(timezoneNamed(given)).toBeUndefined(),
  );
});
