import type { AddressHeader } from './address-headers.js';
import { addressFields } from './address-headers.js';
import type { KnownHeader } from './header-synonyms.js';
import { fieldOfHeader, folded } from './header-synonyms.js';

/** A column with a known header. */
export interface KnownColumn extends KnownHeader {
  readonly index: number;
  readonly column: string;
}

/** The columns of one file with known headers, considering that a header can have another meaning next to others. */
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
