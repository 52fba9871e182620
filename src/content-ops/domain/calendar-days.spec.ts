import fc from 'fast-check';
import { addDays, calendarDays, dateIn, daysBetween, isCalendarDate, isTimeZone } from './calendar-days.js';

const HOUR = 3_600_000;
const QUARTER_HOUR = HOUR / 4;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Santiago',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];

const hoursOf = (zone: string, date: string) =>
  calendarDays(zone, date, date).map((day) => (day.endsAt.getTime() - day.startsAt.getTime()) / HOUR)[0];

describe('the days of a zone', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-06-01', 24],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['America/Havana', '2026-11-01', 25],
    ['Asia/Beirut', '2026-03-29', 23],
  ])('%s has on %s a day of %d hours', (zone, date, hours) => {
    expect(hoursOf(zone, date)).toBe(hours);
  });

  it.each([
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    ['Pacific/Chatham', '2026-07-01', '2026-06-30T11:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
    ['Etc/GMT+12', '2026-01-01', '2026-01-01T12:00:00.000Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ])('in %s %s begins at %s', (zone, date, instant) => {
    expect(calendarDays(zone, date, date)[0]?.startsAt.toISOString()).toBe(instant);
  });

  it('gives a date that a zone skipped no length', () => {
    expect(hoursOf('Pacific/Apia', '2011-12-30')).toBe(0);
    expect(hoursOf('Pacific/Apia', '2011-12-31')).toBe(24);
  });

  it('puts every quarter-hour into exactly the day its local date names, in every zone, through every change of clocks', () => {
    const quarterHour = fc
      .integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) })
      .map((at) => new Date(Math.floor(at / QUARTER_HOUR) * QUARTER_HOUR));
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), quarterHour, (zone, at) => {
        const local = dateIn(zone, at);
        const days = calendarDays(zone, addDays(local, -2), addDays(local, 2));
        const holding = days.filter((day) => day.startsAt <= at && at < day.endsAt);
        expect(holding.map((day) => day.date)).toEqual([local]);
        for (const [index, day] of days.slice(1).entries()) {
          expect(day.startsAt).toEqual(days[index]?.endsAt);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a calendar date', () => {
  it.each(['2026-02-28', '2028-02-29', '2026-12-31'])('%s exists', (date) => {
    expect(isCalendarDate(date)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '1999-12-31',
    '26-01-01',
    'today',
    '',
    '2026-02-28T00:00:00Z',
  ])('%p does not', (text) => expect(isCalendarDate(text)).toBe(false));

  it('counts days across a leap day', () => {
    expect(addDays('2028-02-28', 2)).toBe('2028-03-01');
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
  });
});

describe('the name of a zone', () => {
  it.each(['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+12'])('%s is one', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['+02:00', 'Mars/Olympus', '', 'Europe/Berlin; DROP', 'UTC+3', '../etc'])('%p is none', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});
