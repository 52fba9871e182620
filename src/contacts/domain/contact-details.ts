import { emailKey } from './email.js';

/** Parts of a postal address; a part that is not known is null. */
export interface PostalAddress {
  /** What it is for, such as `Home`. */
  readonly label: string | null;
  /** Street and number; the address as a whole where its parts are not known. */
  readonly street: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
}

export const ADDRESS_PARTS = ['label', 'street', 'city', 'region', 'postalCode', 'country'] as const;

/** Always the same keys in the same order, so that two can be compared. */
export function postalAddress(parts: Partial<PostalAddress>): PostalAddress {
  const {
    label = null,
    street = null,
    city = null,
    region = null,
    postalCode = null,
    country = null,
  } = parts;
  return { label, street, city, region, postalCode, country };
}

/** The label alone is no address. */
export function isAddress(parts: Partial<PostalAddress>): boolean {
  return ADDRESS_PARTS.some((part) => part !== 'label' && (parts[part] ?? null) !== null);
}

const DATE = /^(?:(\d{4})|-)-(\d\d)-(\d\d)$/;

/** `1990-05-12`, or `--05-12` where the year is not known (as in vCard, RFC 6350). */
export function isBirthday(text: string): boolean {
  const [, year = '2000', month, day] = DATE.exec(text) ?? [];
  if (month === undefined) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}

const WEBSITE = /^(?:https?:\/\/)?[^\s/:@"<>]+\.[^\s"<>]+$/iu;

/** An address of the Web with or without `https://`; no other scheme, because clients make links of it. */
export const isWebsite = (text: string): boolean => WEBSITE.test(text);

/**
 * One primary address and all others, each once. The first additional address becomes the primary one where there is none.
 */
export function tidyEmails(
  email: string | null,
  additional: readonly string[],
): { email: string | null; additionalEmails: string[] } {
  const all = new Map<string, string>();
  for (const one of [email ?? [], ...additional].flat()) {
    const key = emailKey(one);
    if (!all.has(key)) all.set(key, one);
  }
  const [first = null, ...others] = all.values();
  return { email: first, additionalEmails: others };
}
