import fc from 'fast-check';
import { parseInstant } from './is-instant.js';

describe('an instant', () => {
  it('is read as what Date printed, with any offset', () => {
    const dates = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, fc.integer({ min: -23 * 60, max: 23 * 60 }), (date, minutes) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
        const two = (number: number) => String(Math.abs(number)).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
        expect(parseInstant(date.toISOString().replace('Z', offset))).toBe(date.getTime() - minutes * 60_000);
      }),
    );
  });

  it('never throws and never is what Date alone would guess', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const time = parseInstant(value);
        expect(time === undefined || Number.isInteger(time)).toBe(true);
      }),
    );
  });

  it.each([
    '2026-12-01T09:00:00',
    '2026-12-01',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-12-01T09:00Z',
    '2026-12-01 09:00:00Z',
    '2026-12-01T09:00:00+0100',
    '2026-12-01T09:00:00+24:00',
    '+002026-12-01T09:00:00Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    'tomorrow',
    '',
  ])('is not %s', (text) => expect(parseInstant(text)).toBeUndefined());

  it.each([
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2028-02-29T00:00:00Z',
    '2026-12-01t09:00:00.123456789z',
    '2026-12-01T09:00:00-00:00',
  ])('is %s', (text) => expect(parseInstant(text)).toEqual(expect.any(Number)));
});
