import { registerDecorator } from 'class-validator';

/**
 * The IANA time zone in canonical case, undefined if the runtime does not know it. Keeps newer names, for which the runtime
 * returns the older one (`Asia/Kathmandu`).
 */
export function timezoneNamed(name: unknown): string | undefined {
  if (typeof name !== 'string' || !/^[A-Za-z]/.test(name) || name.length > 64) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return known.toLowerCase() === name.toLowerCase() ? known : name;
  } catch {
    return undefined;
  }
}

/** An IANA name such as `Europe/Berlin` or `UTC`; offsets are refused, because they have no daylight saving time. */
export function IsTimezone(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isTimezone',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: 'must be the IANA name of a time zone, such as Europe/Berlin',
        context: { code: 'not_a_timezone' },
      },
      validator: { validate: (value: unknown) => timezoneNamed(value) !== undefined },
    });
}
