import { emailKey } from '#libs/email-address';

/** Parts of a postal address; an unknown part is null. */
export interface PostalAddress {
  /** The purpose, such as `Home`. */
  readonly label: string | null;
  /** Street and number; the whole address when its parts are unknown. */
  readonly street: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
}

export const ADDRESS_PARTS = ['label', 'street', 'city', 'region', 'postalCode', 'country'] as const;

/** Always the same keys in the same order, so that two addresses can be compared. */
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

/** A label alone is not an address. */
export function isAddress(parts: Partial<PostalAddress>): boolean {
  return ADDRESS_PARTS.some((part) => part !== 'label' && (parts[part] ?? null) !== null);
}

const DATE = /^(?:(\d{4})|-)-(\d\d)-(\d\d)$/;

/** `1990-05-12`, or `--05-12` without a year (as in vCard, RFC 6350). */
export function isBirthday(text: string): boolean {
  const [, year = '2000', month, day] = DATE.exec(text) ?? [];
  if (month === undefined) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}

const WEBSITE = /^(?:https?:\/\/)?[^\s/:@"<>][^\s/:@"<>.]*\.[^\s"<>]+$/iu;

/** A web address with or without `https://`; no other scheme, because clients render it as a link. */
export const isWebsite = (text: string): boolean => WEBSITE.test(text);

/**
 * One primary address and all others, without duplicates. Without a primary address, the first additional one becomes
 * primary.
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
