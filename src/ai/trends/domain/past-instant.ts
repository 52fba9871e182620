import type { Instant } from '#libs/content';

/** RFC 822 and 1123, as RSS has it; the day of the week and seconds can be missing, years can have two digits. */
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4}|\d{2})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?)?\s*(z|gmt|utc?|[ecmp][sd]t|[+-]\d{2}:?\d{2})?$/i;
/** RFC 3339 and its shorter forms, as Atom and RDF have them. */
const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[t ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(z|[+-]\d{2}:?\d{2})?)?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ZONES: Readonly<Record<string, number>> = {
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
};

/**
 * The instant that a date of a feed names. Dates without a zone are UTC. null: unreadable, not of the calendar, after `now`,
 * because an item from the future would stay at the top of every list, or not after 1970: programs write such instants for "no date",
 * and PostgreSQL does not store the year 0.
 */
export function pastInstant(text: unknown, now: Instant): Instant | null {
  if (typeof text !== 'string' || text.length > 64) return null;
  const milliseconds = fromRfc822(text.trim()) ?? fromRfc3339(text.trim());
  if (milliseconds === null || milliseconds <= 0 || milliseconds > Date.parse(now)) return null;
  return new Date(milliseconds).toISOString();
}

function fromRfc822(text: string): number | null {
  const [, day, name = '', year = '', hours, minutes, seconds, zone] = RFC_822.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return null;
  // RFC 2822, section 4.3.
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900);
  return instantOf([full, month, day, hours, minutes, seconds].map(numberOr0), zone);
}

function fromRfc3339(text: string): number | null {
  const [whole, year, month, day, hours, minutes, seconds, zone] = RFC_3339.exec(text) ?? [];
  if (whole === undefined) return null;
  return instantOf([year, month, day, hours, minutes, seconds].map(numberOr0), zone);
}

const numberOr0 = (text: string | number | undefined): number => Number(text ?? 0);

function instantOf(parts: readonly number[], zone = ''): number | null {
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const isTime = hours < 24 && minutes < 60 && seconds <= 60;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // Date moves days that a month does not have into the next one.
  if (!isTime || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.setUTCHours(hours, minutes, seconds) - offsetOf(zone.toLowerCase()) * 60_000;
}

/** Minutes east of Greenwich. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return ZONES[zone] ?? 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
