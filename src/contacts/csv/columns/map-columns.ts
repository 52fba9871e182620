import type { FieldError } from '#libs/errors';
import { isUuid } from '#libs/http';
import { fieldsOfKind } from '../../domain/contact-fields.js';
import { ColumnsAreNotRecognized, MappingIsNotValid } from '../domain/csv.errors.js';
import { fieldNamed, type ImportField } from './import-fields.js';
import { folded, knownColumns } from './known-headers.js';

/** Column header, or `#` and its number from 1, to field; null ignores the column. */
export type GivenMapping = Readonly<Record<string, string | null>>;

export interface MappedColumn {
  readonly index: number;
  readonly column: string;
  readonly field: ImportField;
  readonly how: 'given' | 'header';
}

/** Several columns can fill these fields; of all others the first known column counts. */
const LISTS: readonly ImportField[] = [...fieldsOfKind('texts', 'emails', 'addresses'), 'notes'];
/** A row needs one of these fields to identify its contact. */
const IDENTIFYING_FIELDS: readonly ImportField[] = [
  'id',
  'externalId',
  'name',
  'company',
  'phones',
  'firstName',
  'lastName',
  'email',
];

export interface ColumnsToMap {
  readonly organizationId: string;
  readonly columns: readonly string[];
  readonly given?: GivenMapping;
  readonly sample?: readonly (readonly string[])[];
}

/**
 * Maps columns to fields. A given mapping is complete; without one, columns are recognized by their headers.
 * @throws MappingIsNotValid for unknown columns and fields; ColumnsAreNotRecognized when no mapped column identifies a
 * contact.
 */
export function mapColumns({ organizationId, columns, given, sample = [] }: ColumnsToMap): MappedColumn[] {
  const mapped = given ? mapAsGiven(columns, given) : mapByHeader(columns).filter(fitsSample(sample));
  if (!mapped.some(({ field }) => IDENTIFYING_FIELDS.includes(field))) {
    throw new ColumnsAreNotRecognized(
      organizationId,
      columns,
      given
        ? 'Nothing in the mapping tells who a row is about: map a name, an email, a company, phones, an id or an externalId.'
        : 'No column is recognized as a name, an email, a company or a phone. Send a mapping, such as {"Column header": "email"} or {"#1": "email"}.',
    );
  }
  return mapped;
}

function mapAsGiven(columns: readonly string[], given: GivenMapping): MappedColumn[] {
  const errors: FieldError[] = [];
  const mapped: MappedColumn[] = [];
  const indexOf = columnIndex(columns);
  for (const [name, fieldName] of Object.entries(given)) {
    const pointer = `#/mapping/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const index = indexOf(name);
    const field = fieldName === null ? null : fieldNamed(String(fieldName));
    if (index === undefined)
      errors.push({ pointer, code: 'unknown_column', detail: 'is not a column of the file' });
    if (field === undefined)
      errors.push({ pointer, code: 'unknown_field', detail: 'is not a field of a contact' });
    if (index === undefined || !field) continue;
    mapped.push({ index, column: columns[index] as string, field, how: 'given' });
  }
  if (errors.length > 0) throw new MappingIsNotValid(errors);
  return mapped.sort((a, b) => a.index - b.index);
}

/** The column by its reported name, its number, or its name in another spelling. The names are folded once. */
function columnIndex(columns: readonly string[]): (name: string) => number | undefined {
  const named = new Map(columns.map((column, index) => [column, index]));
  // Of equal names the first: a map keeps the last value of a key.
  const byFoldedName = new Map(columns.map((column, index) => [folded(column), index] as const).reverse());
  byFoldedName.delete('');
  return (name) => {
    const index = named.get(name.trim());
    if (index !== undefined) return index;
    const number = /^#(\d{1,5})$/.exec(name)?.[1];
    if (number === undefined) return byFoldedName.get(folded(name));
    return Number(number) >= 1 && Number(number) <= columns.length ? Number(number) - 1 : undefined;
  };
}

function mapByHeader(columns: readonly string[]): MappedColumn[] {
  const known = knownColumns(columns);
  const inOrder = [...known.filter(({ isWeak }) => !isWeak), ...known.filter(({ isWeak }) => isWeak)];
  const taken = new Set<ImportField>();
  const mapped = inOrder.flatMap((one) => {
    const isFurtherLine = (one.address?.line ?? 1) > 1;
    const isFree = LISTS.includes(one.field) || isFurtherLine || !taken.has(one.field);
    taken.add(one.field);
    if (isFree) return [one];
    // The first column of email addresses is the primary one; the others are additional.
    return one.field === 'email' ? [{ ...one, field: 'additionalEmails' as const }] : [];
  });
  return mapped
    .map((one) => (isFamilyName(one, mapped) ? { ...one, field: 'lastName' as const } : one))
    .map(({ index, column, field }): MappedColumn => ({ index, column, field, how: 'header' }))
    .sort((a, b) => a.index - b.index);
}

/** German lists have `Name` and `Vorname`: then `Name` is the family name. */
function isFamilyName(one: { column: string; field: ImportField }, all: readonly (typeof one)[]): boolean {
  if (folded(one.column) !== 'name' || all.some(({ field }) => field === 'lastName')) return false;
  return all.some(({ column }) => folded(column) === 'vorname');
}

/** A column `id` with other values is an id of another program. */
const fitsSample = (sample: readonly (readonly string[])[]) => (mapped: MappedColumn) =>
  mapped.field !== 'id' || sample.every((cells) => isIdOrEmpty(cells[mapped.index] ?? ''));

const isIdOrEmpty = (cell: string) => cell.trim() === '' || isUuid(cell.trim());
