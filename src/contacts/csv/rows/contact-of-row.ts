import { isLonger, isStreamSafe, isUuid, MAX_MARKS, normalized, tidyList, tidyText } from '#libs/http';
import { CONTACT_FIELDS, type ContactField, FIELDS, type TextsField } from '../../domain/contact-fields.js';
import { tidyEmails } from '../../domain/contact-details.js';
import { emailKey } from '#libs/email-address';
import { isDispensable, longestCell } from '../columns/import-fields.js';
import type { MappedColumn } from '../columns/map-columns.js';
import { CustomFieldsReader } from './custom-fields-of-row.js';
import { DetailsReader } from './details-of-row.js';
import {
  hasLostDigits,
  isHidden,
  wholeNumber,
  withoutTextFormula,
  isPlaceholder,
  unguarded,
} from '../domain/cells/raw-cell.js';
import { addressSigns, emailsOfCell } from '../domain/cells/email-cell.js';
import { valuesOfCell } from '../domain/cells/list-cell.js';
import { type Cell, RowCells } from './row-cells.js';
import type { RowContact, RowFields } from './row-contact.js';
import { problem, type RowProblem } from '../domain/cells/row-problem.js';

export interface ReadingRules {
  readonly mapping: readonly MappedColumn[];
  /** Number of columns of the file. */
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
  const reader = new RowReader(short);
  for (const cell of long) reader.refuseLong(cell);
  for (const cell of hidden) reader.ignoreLost(cell);
  if (cells.slice(rules.columns).some((cell) => tidyText(cell) !== null)) {
    const message = `has ${cells.length} cells where the file has ${rules.columns} columns`;
    reader.problems.push(problem('incorrect_number_of_columns', message));
  }
  reader.refuseUnreadable(rules.hasBrokenBytes);
  return { contact: reader.contact(), problems: reader.problems };
}

/** The cells with a value. Those that are longer than any value of their field are not parsed at all. */
function cellsOf(cells: readonly string[], { mapping, raw }: ReadingRules) {
  const short: Cell[] = [];
  const long: Cell[] = [];
  const hidden: Cell[] = [];
  for (const { index, column, field } of mapping) {
    const given = cells[index] ?? '';
    const longest = longestCell(field);
    if (given.length > longest && given.trim().length > longest) {
      long.push({ column, field, value: given, given });
      continue;
    }
    if (!raw && isPlaceholder(given)) continue;
    if (!raw && isHidden(given)) {
      hidden.push({ column, field, value: given, given });
      continue;
    }
    const value = tidyText(normalized(raw ? given : unguarded(withoutTextFormula(given))));
    if (value !== null) short.push({ column, field, value, given });
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

class RowReader extends RowCells {
  constructor(cells: readonly Cell[]) {
    super(cells, []);
  }

  contact(): RowContact {
    const emails = this.emails();
    const { email } = emails;
    const id = this.id();
    const details = new DetailsReader(this.cells, this.problems);
    const readers: Partial<Record<ContactField, () => unknown>> = {
      name: () => this.text('name') ?? this.composedName(),
      email: () => email,
      customFields: () => new CustomFieldsReader(this.cells, this.problems).all(),
      externalId: () => this.externalId(),
      additionalEmails: () => (emails.additionalEmails.length > 0 ? emails.additionalEmails : null),
      addresses: () => details.addresses(),
      birthday: () => details.birthday(),
      websites: () => details.websites(),
    };
    const values = FIELDS.map(([field, { kind }]) => {
      const read =
        readers[field] ?? (() => (kind === 'texts' ? this.list(field as TextsField) : this.text(field)));
      return [field, read()];
    });
    const fields = Object.fromEntries(values) as RowFields;
    return { id, ...fields, emailKey: email === null ? null : emailKey(email), note: details.note() };
  }

  refuseUnreadable(hasBrokenBytes: boolean): void {
    for (const cell of this.cells) {
      if (cell.value.includes('\0')) this.fault('invalid_value', 'has a zero character', cell);
      if (!isStreamSafe(cell.given)) this.fault('invalid_value', TOO_MANY_MARKS, cell);
      else if (hasBrokenBytes && cell.value.includes('\ufffd'))
        this.fault('invalid_value', 'has bytes that are invalid in the encoding of the file', cell);
    }
  }

  /** A cell that is not parsed. */
  refuseLong(cell: Cell): void {
    const message = 'is longer than any value of its field';
    if (!isStreamSafe(cell.given)) this.fault('invalid_value', TOO_MANY_MARKS, cell);
    else if (isDispensable(cell.field)) this.fault('value_ignored', `is ignored: it ${message}`, cell);
    else this.fault('value_too_long', message, cell);
  }

  ignoreLost(cell: Cell): void {
    this.fault('value_ignored', LOST_DIGITS, cell);
  }

  private text(field: ContactField): string | null {
    const cell = this.only(field);
    return cell ? this.within(CONTACT_FIELDS[field].max, cell, cell.value) : null;
  }

  /** Several people can have the same digits left: an id that lost some would merge them. */
  private externalId(): string | null {
    const text = this.text('externalId');
    const [cell] = this.of('externalId');
    if (text === null || !cell) return null;
    if (!hasLostDigits(text)) return wholeNumber(text);
    this.ignoreLost(cell);
    return null;
  }

  private composedName(): string | null {
    const parts = (['firstName', 'middleName', 'lastName'] as const).flatMap(
      (field) => this.only(field) ?? [],
    );
    const [first] = parts;
    return first
      ? this.within(CONTACT_FIELDS.name.max, first, parts.map(({ value }) => value).join(' '))
      : null;
  }

  private id(): string | null {
    const cell = this.only('id');
    if (cell && !isUuid(cell.value)) this.fault('invalid_value', 'is not the id of a contact', cell);
    return cell?.value.toLowerCase() ?? null;
  }

  /** The first address of the primary column, and all others. */
  private emails(): { email: string | null; additionalEmails: readonly string[] } {
    const all: string[] = [];
    const cells = this.cells.filter(({ field }) => field === 'email' || field === 'additionalEmails');
    const [first] = cells;
    if (first && cells.reduce((signs, { value }) => signs + addressSigns(value), 0) > MAX_ADDRESS_SIGNS) {
      this.fault('limit_exceeded', TOO_MANY_ADDRESSES, first);
      return { email: null, additionalEmails: [] };
    }
    for (const cell of cells) {
      const { valid, invalid, foreign } = emailsOfCell(cell.value);
      if (foreign.length > 0)
        this.fault('value_ignored', 'has an address of another mail system, which is ignored', cell);
      // Also the pieces of an address of another system that has a comma.
      else if (invalid.length > 0) this.reportInvalid(cell, valid.length === 0);
      if (valid.some((one) => isLonger(one, CONTACT_FIELDS.email.max))) this.refuseEmail(cell);
      all.push(...valid);
    }
    const { email, additionalEmails } = tidyEmails(null, all);
    if (first && additionalEmails.length > CONTACT_FIELDS.additionalEmails.maxItems)
      this.fault('limit_exceeded', TOO_MANY_ADDRESSES, first);
    return { email, additionalEmails };
  }

  /** A wrong address, also text without `@`, does not cost a row that says who it is about. */
  private reportInvalid(cell: Cell, isOnly: boolean): void {
    const isNamed = this.cells.some(({ field }) => NAMING.includes(field));
    if (!isOnly || cell.field !== 'email')
      this.fault('value_ignored', 'has a value that is not an email address', cell);
    else if (isNamed && !isLonger(cell.value, CONTACT_FIELDS.email.max))
      this.fault('value_ignored', 'is not an email address: the row is imported without it', cell);
    else this.refuseEmail(cell);
  }

  private refuseEmail(cell: Cell): void {
    if (isLonger(cell.value, CONTACT_FIELDS.email.max))
      this.fault('value_too_long', 'is longer than 254 characters', cell);
    else this.fault('invalid_email', 'is not an email address', cell);
  }

  private list(field: TextsField): string[] | null {
    const { max: limit, maxItems: entries } = CONTACT_FIELDS[field];
    const cells = this.of(field);
    const values = cells.map((cell) => ({ cell, values: this.valuesOf(cell, field) }));
    for (const { cell, values: some } of values) {
      if (some.some((value) => isLonger(value, limit)))
        this.fault('value_too_long', `has a value longer than ${limit} characters`, cell);
    }
    const list = tidyList(values.flatMap(({ values: some }) => some));
    const [first] = cells;
    if (first && list.length > entries)
      this.fault(
        'limit_exceeded',
        `has ${list.length} values. A contact has at most ${entries} ${field}`,
        first,
      );
    return list.length > 0 ? list : null;
  }

  private valuesOf(cell: Cell, field: TextsField): string[] {
    const values = valuesOfCell(cell.value, field);
    if (field !== 'phones') return values;
    if (values.some(hasLostDigits)) this.ignoreLost(cell);
    return values.filter((value) => !hasLostDigits(value)).map(wholeNumber);
  }
}
