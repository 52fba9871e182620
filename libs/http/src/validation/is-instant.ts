import { registerDecorator, type ValidationOptions } from 'class-validator';
import { SystemClock } from '#libs/clock';

/** RFC 3339, section 5.6, with the offset required. Seconds of 60 are refused: PostgreSQL and Date have no leap seconds. */
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The years of four digits, in UTC: further out PostgreSQL and Date spell an instant differently, and neither reads the other. */
const FIRST_MS = new Date('0001-01-01T00:00:00.000Z').getTime();
const LAST_MS = new Date('9999-12-31T23:59:59.999Z').getTime();

/** Instants further ahead than ten years count as typos. */
const FAR_MS = 10 * 366 * 24 * 60 * 60 * 1000;

/** Not a service's clock: validation rules are created before services. */
const clock = new SystemClock();

export interface InstantOptions extends ValidationOptions {
  /**
   * Refuses instants that are past, or more than ten years ahead, by this process's clock. Only for early error messages:
   * the database's clock decides what is due.
   */
  readonly future?: boolean;
}

/** Milliseconds since 1970 of an RFC 3339 instant with offset, or undefined when it is none (30 February too). */
export function parseInstant(text: unknown): number | undefined {
  const match = typeof text === 'string' ? INSTANT.exec(text) : null;
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const time = new Date(text as string).getTime();
  return time >= FIRST_MS && time <= LAST_MS ? time : undefined;
}

/** The instant in UTC with milliseconds, the spelling that internal comparisons use. */
export function instantOf(text: unknown): string | undefined {
  const milliseconds = parseInstant(text);
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

/** RFC 3339 with an offset. A local time without one is ambiguous and refused. */
export function IsInstant(options: InstantOptions = {}): PropertyDecorator {
  const { future = false, ...rest } = options;
  return (target, property) => {
    const register = (name: string, message: string, code: string, validate: (value: unknown) => boolean) =>
      registerDecorator({
        name,
        target: target.constructor,
        propertyName: String(property),
        options: { message, context: { code }, ...rest },
        validator: { validate },
      });
    register(
      'isInstant',
      'must be an RFC 3339 time with an offset, such as 2026-12-01T09:00:00Z',
      'not_an_instant',
      (value) => parseInstant(value) !== undefined,
    );
    if (!future) return;
    register(
      'isFuture',
      'must be in the future',
      'in_past',
      (value) => (parseInstant(value) ?? Infinity) > clock.now().getTime(),
    );
    register(
      'isNotFarAhead',
      'must be within ten years',
      'too_far_ahead',
      (value) => (parseInstant(value) ?? 0) < clock.now().getTime() + FAR_MS,
    );
  };
}
