import { normalized, tidyText } from '#libs/http';
import { addressFields, addressHeader, type AddressHeader } from './address-headers.js';
import { fieldNamed, type ImportField, type PlainField, SYNONYMS } from './import-fields.js';

/** The first column of a file of failed rows. An import ignores it. */
export const PROBLEMS_COLUMN = 'import_error';

/** In UTF-16 units. Longer names are cut: they are text, and reports repeat them. */
export const LONGEST_HEADER = 200;

/**
 * Unique names of columns: `#3` without a name, `Phone (2)` for a duplicate. A header row that is shorter than the rows is
 * completed with numbers.
 */
export function columnNames(header: readonly string[] | null, count: number): string[] {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return Array.from({ length: Math.max(count, header?.length ?? 0) }, (_, index) => {
    const given = header?.[index]?.slice(0, LONGEST_HEADER).toWellFormed().replaceAll('\0', '') ?? '';
    const name = tidyText(given) ?? `#${index + 1}`;
    let unique = name;
    let number = next.get(name) ?? 2;
    for (; used.has(unique); number += 1) unique = `${name} (${number})`;
    next.set(name, number);
    used.add(unique);
    return unique;
  });
}

/** Numbered columns of Google, Yahoo and Apple. */
const NUMBERED: readonly (readonly [RegExp, PlainField])[] = [
  [/^phone\d+(value|number)?$/, 'phones'],
  [/^e?mail\d+(value|address)?$/, 'email'],
  [/^(website|url|webpage)\d+(value)?$/, 'websites'],
];

/** `Phone Number 2`, in any language: the number is no part of the name. */
const REPEATED: readonly PlainField[] = ['phones', 'email', 'websites'];

export function folded(header: string): string {
  return normalized(header, 'NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/ß/g, 'ss');
}

/**
 * Header names of exports: Google (both layouts), Outlook, Apple, LinkedIn, HubSpot, Mailchimp, Brevo, Shopify, Thunderbird,
 * Yahoo, Roundcube, CiviCRM, Pipedrive and Twenty, in English and in the translations of Outlook and Apple (German, French,
 * Spanish, Italian, Dutch, Portuguese, Czech, Slovak, Polish, Hungarian, Turkish, Swedish, Norwegian, Danish, Finnish, Japanese,
 * Chinese, Korean). Compared without case, accents, spaces and
 * punctuation. A `?` at the end: used only when no other column has the field, because the header is ambiguous (Outlook's
 * Title is Mr or Ms).
 */
const BY_NAME = new Map(
  SYNONYMS.flatMap(([field, names]) =>
    names
      .split('|')
      .filter((name) => name !== '')
      .map((name) => [folded(name), { field, isWeak: name.endsWith('?') }] as const),
  ),
);

export interface KnownHeader {
  readonly field: ImportField;
  /** Used only when no other column names the field without doubt. */
  readonly isWeak: boolean;
  /** The field depends on the other address columns (addressFields). */
  readonly address?: AddressHeader;
}

/** By the name alone; knownColumns considers the other headers. */
export function fieldOfHeader(header: string): KnownHeader | undefined {
  if (header.length > LONGEST_HEADER) return undefined;
  const exact = fieldNamed(header.trim());
  if (exact && header.trim() !== 'address') return { field: exact, isWeak: false };
  const name = folded(header);
  const numbered = NUMBERED.find(([pattern]) => pattern.test(name))?.[1];
  if (numbered) return { field: numbered, isWeak: false };
  const known = BY_NAME.get(name);
  if (known) return known;
  const repeated = BY_NAME.get(name.replace(/\d{1,2}$/, ''));
  if (repeated && REPEATED.includes(repeated.field)) return repeated;
  const address = addressHeader(name);
  return address && { field: 'addresses', isWeak: address.isWeak, address };
}

export interface KnownColumn extends KnownHeader {
  readonly index: number;
  readonly column: string;
}

export function knownColumns(columns: readonly string[]): KnownColumn[] {
  const names = new Set(columns.map(folded));
  const known = columns.flatMap((column, index): KnownColumn[] => {
    const found = inContext(folded(column), names) ?? byName(column);
    return found ? [{ index, column, ...found }] : [];
  });
  return withAddresses(isPolish(names) ? known.map(withPolishCountry) : known);
}

/** `Phone (2)`: the second column of that name. */
const byName = (column: string) => fieldOfHeader(column) ?? fieldOfHeader(column.replace(/ \(\d+\)$/, ''));

/** Phone numbers of Yahoo. In other exports columns of these names have any content. */
const YAHOO_PHONES = ['home', 'work', 'other', 'primary', 'yahoophone'];
/** Thunderbird has a birthday in three columns. `Birth Day` without `Birth Month` is a whole birthday. */
const BIRTH_PARTS = new Map([
  ['birthday', 'birthDay'],
  ['birthmonth', 'birthMonth'],
  ['birthyear', 'birthYear'],
] as const);

function inContext(name: string, names: ReadonlySet<string>): KnownHeader | undefined {
  if (names.has('yahoophone') && YAHOO_PHONES.includes(name)) return { field: 'phones', isWeak: false };
  const part = BIRTH_PARTS.get(name as 'birthday');
  const isSplit = names.has('birthday') && names.has('birthmonth');
  return part && isSplit ? { field: part, isWeak: false } : undefined;
}

const POLISH = [
  ['imie', 'nazwisko', 'imieinazwisko', 'miasto', 'kodpocztowy', 'wojewodztwo'],
  ['adres', 'adresemail', 'telefonkomorkowy', 'numertelefonu', 'stanowisko', 'dataurodzenia'],
].flat();
const CZECH_OR_SLOVAK = [
  ['jmeno', 'prijmeni', 'mesto', 'obec', 'psc', 'ulice', 'adresa', 'zeme', 'spolecnost', 'celejmeno'],
  ['meno', 'priezvisko', 'krajina', 'stat', 'spolocnost', 'celymeno'],
].flat();

function isPolish(names: ReadonlySet<string>): boolean {
  const count = (words: readonly string[]) => words.filter((word) => names.has(word)).length;
  return count(POLISH) > count(CZECH_OR_SLOVAK);
}

/** `Kraj` is the country in Polish, and a region in Czech and Slovak. */
function withPolishCountry(known: KnownColumn): KnownColumn {
  const { address } = known;
  if (address?.part !== 'region' || !folded(known.column).includes('kraj')) return known;
  return { ...known, address: { ...address, part: 'country' } };
}

function withAddresses(known: readonly KnownColumn[]): KnownColumn[] {
  const ofAddresses = known.filter((one): one is AddressColumn => one.address !== undefined);
  const fields = addressFields(ofAddresses.map(({ address }) => address));
  const fieldOf = new Map(ofAddresses.map(({ index }, at) => [index, fields[at]]));
  return known.flatMap((one): KnownColumn[] => {
    const field = one.address ? fieldOf.get(one.index) : one.field;
    return field === undefined ? [] : [{ ...one, field }];
  });
}

type AddressColumn = KnownColumn & { readonly address: AddressHeader };
