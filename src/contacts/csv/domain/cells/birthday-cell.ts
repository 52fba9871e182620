import { isBirthday } from '../../../domain/contact-details.js';

/** Outlook's value for a missing date. */
const NO_DATE = /^[0./\s-]+$/;
const [YEAR_FIRST, NO_YEAR] = [
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/,
  /^-{1,2}(\d{1,2})-(\d{1,2})$/,
];
const [DAY_FIRST, SLASHES, DIGITS] = [
  /^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})(?: .*)?$/,
  /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: .*)?$/,
  /^(\d{4})(\d\d)(\d\d)$/,
];

/** In the format of a contact; null for an empty cell, undefined for an invalid or ambiguous date such as 03/04/1990. */
export function birthdayOfCell(cell: string): string | null | undefined {
  const text = cell.trim();
  if (text === '' || NO_DATE.test(text)) return null;
  const found = partsOf(text);
  if (!found) return undefined;
  const [year, month, day] = found;
  const date = `${year || '-'}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isBirthday(date) ? date : undefined;
}

function partsOf(text: string): [year: string, month: string, day: string] | undefined {
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? DIGITS.exec(text) ?? [];
  if (year && month && day) return [year, month, day];
  const short = NO_YEAR.exec(text);
  if (short) return ['', short[1] as string, short[2] as string];
  const german = DAY_FIRST.exec(text);
  if (german) return [german[3] as string, german[2] as string, german[1] as string];
  const slashes = SLASHES.exec(text);
  return slashes ? ofSlashes(slashes[1] as string, slashes[2] as string, slashes[3] as string) : undefined;
}

/** As birthdayOfCell; undefined also without a day or month. The day can be a whole date. */
export function birthdayOfParts(year = '', month = '', day = ''): string | null | undefined {
  if (year === '' && month === '' && day === '') return null;
  if (![year, month, day].every((part) => /^\d{0,4}$/.test(part))) return birthdayOfCell(day) ?? undefined;
  return birthdayOfCell(`${year || '-'}-${month}-${day}`) ?? undefined;
}

/** American dates have the month first, British ones the day: a date that is valid in both is ambiguous. */
function ofSlashes(one: string, two: string, year: string): [string, string, string] | undefined {
  if (one === two || Number(two) > 12) return [year, one, two];
  return Number(one) > 12 ? [year, two, one] : undefined;
}
