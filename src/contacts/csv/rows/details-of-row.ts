import { isLonger, tidyList, tidyText } from '#libs/http';
import {
  ADDRESS_PARTS,
  isAddress,
  isWebsite,
  postalAddress,
  type PostalAddress,
} from '../../domain/contact-details.js';
import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import { MAX_NOTE } from '../../notes/note.dto.js';
import { addressPart } from '../columns/import-fields.js';
import { birthdayOfCell, birthdayOfParts } from '../domain/cells/birthday-cell.js';
import { valuesOfCell } from '../domain/cells/list-cell.js';
import type { Cell, RowCells } from './row-cells.js';

const { addresses, websites } = CONTACT_FIELDS;

/*
 * The values of a row other than name, email and company. An invalid value is reported and ignored; the row is imported
 * without it.
 */

export function birthdayOf(row: RowCells): string | null {
  const [cell] = row.of('birthday');
  if (!cell) return birthdayInParts(row);
  const birthday = birthdayOfCell(cell.value);
  if (birthday === undefined)
    row.fault('value_ignored', 'is not an unambiguous date. Write it as 1990-05-12', cell);
  return birthday ?? null;
}

function birthdayInParts(row: RowCells): string | null {
  const [[year], [month], [day]] = [row.of('birthYear'), row.of('birthMonth'), row.of('birthDay')];
  const birthday = birthdayOfParts(year?.value, month?.value, day?.value);
  const first = year ?? month ?? day;
  if (first && birthday === undefined)
    row.fault('value_ignored', 'is not a date with the other parts of the birthday', first);
  return birthday ?? null;
}

export function websitesOf(row: RowCells): string[] | null {
  const found = row.of('websites').flatMap((cell) => {
    const values = valuesOfCell(cell.value, 'websites').filter((value) => tidyText(value) !== null);
    const right = values.filter((value) => isWebsite(value) && !isLonger(value, websites.max));
    if (right.length < values.length)
      row.fault('value_ignored', 'has a value that is not a web address', cell);
    return right;
  });
  const list = tidyList(found).slice(0, websites.maxItems);
  return list.length > 0 ? list : null;
}

/** Several columns are combined to one note. */
export function noteOf(row: RowCells): string | null {
  const cells = row.of('notes');
  const note = cells.map(({ value }) => value).join('\n\n');
  return cells[0] ? row.within(MAX_NOTE, cells[0], note) : null;
}

export function addressesOf(row: RowCells): PostalAddress[] | null {
  const inParts = addressesInParts(row);
  const whole = row.of('addresses').flatMap((cell) => addressesOfCell(row, cell));
  const list = [...inParts, ...whole].filter(isAddress);
  const first = row.cells.find(({ field }) => field.startsWith('addresses'));
  if (first && list.length > addresses.maxItems)
    row.fault('limit_exceeded', `has more than ${addresses.maxItems} addresses`, first);
  return list.length > 0 ? list : null;
}

/** Several columns can hold the lines of one street. */
function addressesInParts(row: RowCells): PostalAddress[] {
  const found: Partial<Record<keyof PostalAddress, string>>[] = [];
  for (const cell of row.cells) {
    const which = addressPart(cell.field);
    if (!which) continue;
    const parts = (found[which.at] ??= {});
    const before = which.part === 'street' ? parts.street : undefined;
    const value = before === undefined ? cell.value : `${before}\n${cell.value}`;
    parts[which.part] = value;
    if (isLonger(value, addresses.max)) refuseLong(row, cell);
  }
  return found.filter((parts) => parts !== undefined).map((parts) => postalAddress(withPostalCode(parts)));
}

/** A JSON array, as the export writes it; any other text is one whole address. */
function addressesOfCell(row: RowCells, cell: Cell): PostalAddress[] {
  const list = jsonAddresses(cell.value) ?? [postalAddress({ street: cell.value })];
  const parts = list.flatMap((address) => ADDRESS_PARTS.map((part) => address[part] ?? ''));
  if (parts.some((part) => isLonger(part, addresses.max))) refuseLong(row, cell);
  return list;
}

const refuseLong = (row: RowCells, cell: Cell) =>
  row.fault('value_too_long', `has a value longer than ${addresses.max} characters`, cell);

/** `10115 Berlin`, also `1012 AB Amsterdam`, `110 00 Praha` and `00-950 Warszawa`; `12 Oaks` is a city. */
const CODE_AND_CITY =
  /^(?<postalCode>(?:[A-Z]{1,2}-)?(?:\d{4,5}(?: [A-Z]{2})?|\d{3} \d{2}|\d{2}-\d{3})) (?<city>\p{L}.*)$/u;

/** A column such as `PLZ/Ort` has the postal code before the city. */
function withPostalCode(parts: Partial<Record<keyof PostalAddress, string>>): typeof parts {
  const both = parts.postalCode === undefined && CODE_AND_CITY.exec(parts.city ?? '')?.groups;
  return both ? { ...parts, ...both } : parts;
}

function jsonAddresses(cell: string): PostalAddress[] | undefined {
  if (!cell.startsWith('[{')) return undefined;
  try {
    const list = JSON.parse(cell) as Record<string, unknown>[];
    return list.map((one) => {
      const parts = ADDRESS_PARTS.map((part) => [
        part,
        typeof one[part] === 'string' ? tidyText(one[part]) : null,
      ]);
      return postalAddress(Object.fromEntries(parts) as Partial<PostalAddress>);
    });
  } catch {
    return undefined;
  }
}
