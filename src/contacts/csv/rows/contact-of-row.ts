import { emailKey } from '#libs/email-address';
import { isLonger, isStreamSafe, isUuid, MAX_MARKS, normalized, tidyList, tidyText } from '#libs/http';
import { tidyEmails } from '../../domain/contact-details.js';
import { CONTACT_FIELDS, type ContactField, FIELDS, type TextsField } from '../../domain/contact-fields.js';
import { isDispensable, isTooLong } from '../columns/import-fields.js';
import type { MappedColumn } from '../columns/map-columns.js';
import { addressSigns, emailsOfCell } from '../domain/cells/email-cell.js';
import { valuesOfCell } from '../domain/cells/list-cell.js';
import {
  hasLostDigits,
  isHidden,
  isPlaceholder,
  unguarded,
  wholeNumber,
  withoutTextFormula,
} from '../domain/cells/raw-cell.js';
import { problem, type RowProblem } from '../domain/cells/row-problem.js';
import { customFieldsOf } from './custom-fields-of-row.js';
import { addressesOf, birthdayOf, noteOf, websitesOf } from './details-of-row.js';
import { type Cell, RowCells } from './row-cells.js';
import type { RowContact, RowFields } from './row-contact.js';

export interface ReadingRules {
  readonly mapping: readonly MappedColumn[];
  readonly columns: number;
  /** Keeps apostrophes before formula characters. */
  readonly raw: boolean;
  /** U+FFFD represents invalid bytes and is not a character of the file. */
  readonly hasBrokenBytes: boolean;
}

/** Converts a row to a contact and reports all problems at once. Missing cells are empty. */
export function contactOfRow(
  cells: readonly string[],
  rules: ReadingRules,
): { contact: RowContact; problems: RowProblem[] } {
  const { short, long, hidden } = cellsOf(cells, rules);
  const row = new RowCells(short);
  for (const cell of long) refuseLong(row, cell);
  for (const cell of hidden) row.fault('value_ignored', LOST_DIGITS, cell);
  if (cells.slice(rules.columns).some((cell) => tidyText(cell) !== null)) {
    const message = `has ${cells.length} cells where the file has ${rules.columns} columns`;
    row.problems.push(problem('incorrect_number_of_columns', message));
  }
  refuseUnreadable(row, rules.hasBrokenBytes);
  return { contact: contactOf(row), problems: row.problems };
}

/** The cells with a value. Those that are longer than any value of their field are not parsed at all. */
function cellsOf(cells: readonly string[], { mapping, raw }: ReadingRules) {
  const [short, long, hidden]: [Cell[], Cell[], Cell[]] = [[], [], []];
  for (const { index, column, field } of mapping) {
    const given = cells[index] ?? '';
    const cell = { column, field, value: given, given };
    if (isTooLong(field, given)) long.push(cell);
    else if (!raw && isHidden(given)) hidden.push(cell);
    else if (raw || !isPlaceholder(given)) {
      const value = tidyText(normalized(raw ? given : unguarded(withoutTextFormula(given))));
      if (value !== null) short.push({ ...cell, value });
    }
  }
  return { short, long, hidden };
}

const LOST_DIGITS =
  'is ignored: a spreadsheet shortened the number, and its last digits are lost. Format the column as text and export again';
const TOO_MANY_MARKS = `has more than ${MAX_MARKS} consecutive combining marks`;
const TOO_MANY_ADDRESSES = `has more than ${CONTACT_FIELDS.additionalEmails.maxItems + 1} addresses`;
/** In a row: addresses are written twice at most, as a name and as an address, and can be repeated. */
const MAX_ADDRESS_SIGNS = 4 * (CONTACT_FIELDS.additionalEmails.maxItems + 1);

/** A contact can have one of these and no address. */
const NAMING: readonly Cell['field'][] = ['name', 'firstName', 'lastName', 'company', 'phones'];

function refuseUnreadable(row: RowCells, hasBrokenBytes: boolean): void {
  for (const cell of row.cells) {
    if (cell.value.includes('\0')) row.fault('invalid_value', 'has a zero character', cell);
    if (!isStreamSafe(cell.given)) row.fault('invalid_value', TOO_MANY_MARKS, cell);
    else if (hasBrokenBytes && cell.value.includes('\ufffd'))
      row.fault('invalid_value', 'has bytes that are invalid in the encoding of the file', cell);
  }
}

function refuseLong(row: RowCells, cell: Cell): void {
  const message = 'is longer than any value of its field';
  if (!isStreamSafe(cell.given)) row.fault('invalid_value', TOO_MANY_MARKS, cell);
  else if (isDispensable(cell.field)) row.fault('value_ignored', `is ignored: it ${message}`, cell);
  else row.fault('value_too_long', message, cell);
}

/** The fields that are more than a text or a list of texts; email addresses are read together. */
const READERS: Partial<Record<ContactField, (row: RowCells) => unknown>> = {
  name: (row) => textOf(row, 'name') ?? composedNameOf(row),
  customFields: customFieldsOf,
  externalId: externalIdOf,
  addresses: addressesOf,
  birthday: birthdayOf,
  websites: websitesOf,
};

function contactOf(row: RowCells): RowContact {
  const { email, additionalEmails } = emailsOf(row);
  const id = idOf(row);
  const values = FIELDS.map(([field, { kind }]) => {
    if (field === 'email') return [field, email];
    if (field === 'additionalEmails') return [field, additionalEmails.length > 0 ? additionalEmails : null];
    const read = READERS[field];
    if (read) return [field, read(row)];
    return [field, kind === 'texts' ? listOf(row, field as TextsField) : textOf(row, field)];
  });
  const fields = Object.fromEntries(values) as RowFields;
  return { id, ...fields, emailKey: email === null ? null : emailKey(email), note: noteOf(row) };
}

function textOf(row: RowCells, field: ContactField): string | null {
  const cell = row.only(field);
  return cell ? row.within(CONTACT_FIELDS[field].max, cell, cell.value) : null;
}

/** Several people can have the same digits left: an id that lost some would merge them. */
function externalIdOf(row: RowCells): string | null {
  const text = textOf(row, 'externalId');
  const [cell] = row.of('externalId');
  if (text === null || !cell) return null;
  if (!hasLostDigits(text)) return wholeNumber(text);
  row.fault('value_ignored', LOST_DIGITS, cell);
  return null;
}

function composedNameOf(row: RowCells): string | null {
  const parts = (['firstName', 'middleName', 'lastName'] as const).flatMap((field) => row.only(field) ?? []);
  const [first] = parts;
  const name = parts.map(({ value }) => value).join(' ');
  return first ? row.within(CONTACT_FIELDS.name.max, first, name) : null;
}

function idOf(row: RowCells): string | null {
  const cell = row.only('id');
  if (cell && !isUuid(cell.value)) row.fault('invalid_value', 'is not the id of a contact', cell);
  return cell?.value.toLowerCase() ?? null;
}

/** The first address of the primary column, and all others. */
function emailsOf(row: RowCells): { email: string | null; additionalEmails: readonly string[] } {
  const all: string[] = [];
  const cells = row.cells.filter(({ field }) => field === 'email' || field === 'additionalEmails');
  const [first] = cells;
  if (first && cells.reduce((signs, { value }) => signs + addressSigns(value), 0) > MAX_ADDRESS_SIGNS) {
    row.fault('limit_exceeded', TOO_MANY_ADDRESSES, first);
    return { email: null, additionalEmails: [] };
  }
  for (const cell of cells) {
    const { valid, invalid, foreign } = emailsOfCell(cell.value);
    if (foreign.length > 0)
      row.fault('value_ignored', 'has an address of another mail system, which is ignored', cell);
    // Also the pieces of an address of another system that has a comma.
    else if (invalid.length > 0) reportInvalid(row, cell, valid.length === 0);
    if (valid.some((one) => isLonger(one, CONTACT_FIELDS.email.max))) refuseEmail(row, cell);
    all.push(...valid);
  }
  const { email, additionalEmails } = tidyEmails(null, all);
  if (first && additionalEmails.length > CONTACT_FIELDS.additionalEmails.maxItems)
    row.fault('limit_exceeded', TOO_MANY_ADDRESSES, first);
  return { email, additionalEmails };
}

/** A wrong address, also text without `@`, does not cost a row that says who it is about. */
function reportInvalid(row: RowCells, cell: Cell, isOnly: boolean): void {
  const isNamed = row.cells.some(({ field }) => NAMING.includes(field));
  if (!isOnly || cell.field !== 'email')
    row.fault('value_ignored', 'has a value that is not an email address', cell);
  else if (isNamed && !isLonger(cell.value, CONTACT_FIELDS.email.max))
    row.fault('value_ignored', 'is not an email address: the row is imported without it', cell);
  else refuseEmail(row, cell);
}

function refuseEmail(row: RowCells, cell: Cell): void {
  if (isLonger(cell.value, CONTACT_FIELDS.email.max))
    row.fault('value_too_long', 'is longer than 254 characters', cell);
  else row.fault('invalid_email', 'is not an email address', cell);
}

function listOf(row: RowCells, field: TextsField): string[] | null {
  const { max, maxItems } = CONTACT_FIELDS[field];
  const cells = row.of(field);
  const found = cells.flatMap((cell) => {
    const values = field === 'phones' ? phonesOf(row, cell) : valuesOfCell(cell.value, field);
    if (values.some((value) => isLonger(value, max)))
      row.fault('value_too_long', `has a value longer than ${max} characters`, cell);
    return values;
  });
  const list = tidyList(found);
  const message = `has ${list.length} values. A contact has at most ${maxItems} ${field}`;
  if (cells[0] && list.length > maxItems) row.fault('limit_exceeded', message, cells[0]);
  return list.length > 0 ? list : null;
}

function phonesOf(row: RowCells, cell: Cell): string[] {
  const values = valuesOfCell(cell.value, 'phones');
  if (values.some(hasLostDigits)) row.fault('value_ignored', LOST_DIGITS, cell);
  return values.filter((value) => !hasLostDigits(value)).map(wholeNumber);
}
