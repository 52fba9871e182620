import { normalized, RESERVED_NAMES } from '#libs/http';
import { ADDRESS_PARTS, type PostalAddress } from '../../domain/contact-details.js';
import { CONTACT_FIELDS, type ContactField, FIELDS } from '../../domain/contact-fields.js';
import type { FieldDeclaration, FieldKind } from '../../domain/field-declaration.js';
import { MAX_NOTE } from '../../notes/note.dto.js';
import { MAX_RECORD } from '../domain/records/record-splitter.js';

const PARTS = {
  firstName: {
    writes: 'name',
    headers:
      'jmeno|firstname|givenname|forename|vorname|prenom|nombre|nome|voornaam|primeironome|nomeproprio|first|personfirstname|contactfirstname|namefirstname|krestnijmeno|krestni|jmenokrestni|imie|pierwszeimie|meno?|keresztnev|utonev|prenume|isim?|ad?|имя?|fname|förnamn|fornavn|etunimi|名|όνομα|vardas|eesnimi|prvoime|firstnamegiven',
  },
  middleName: {
    writes: 'name',
    headers:
      'middlename|additionalname|secondname|weiterevornamen|zweitervorname|deuxiemeprenom|segundonombre|secondonome|tweedenaam|segundonome|middle|personmiddlename|druhejmeno|prostrednijmeno|drugieimie|stredni|zweitename|mellannamn|mellomnavn|mellemnavn|mname',
  },
  lastName: {
    writes: 'name',
    headers:
      'nume|lastname|familyname|surname|nachname|familienname|nom|nomdefamille|apellido|apellidos|cognome|achternaam|sobrenome|apelido|last|personlastname|contactlastname|namelastname|prijmeni|nazwisko|priezvisko|vezeteknev|csaladnev|soyad|soyadi|фамилия|lname|efternamn|efternavn|etternavn|sukunimi|姓|επώνυμο|pavardė|perekonnanimi|prezime',
  },
  birthYear: { writes: 'birthday', headers: '' },
  birthMonth: { writes: 'birthday', headers: '' },
  birthDay: { writes: 'birthday', headers: '' },
} as const;

export type PlainField = 'id' | ContactField | keyof typeof PARTS | 'notes';

/** What a column can be mapped to, in addition to parts of addresses and single custom fields. */
interface ImportColumn {
  /** Null: the id, which a file cannot change. */
  readonly writes: ContactField | 'notes' | null;
  readonly alias?: string;
  readonly headers: string;
  /** In characters. */
  readonly longest: number;
}

/**
 * UTF-16 units for one character of a field: two of a rare one; three of a syllable of Korean before it is composed; room for
 * labels, quotes and separators.
 */
const UNITS = 4;
/** As JSON: an escape such as `\u00fc` has six units, and a rare character needs two escapes. */
const UNITS_OF_JSON = 12;
const LONGEST: Readonly<Record<FieldKind, (field: FieldDeclaration) => number>> = {
  text: ({ max }) => max,
  // Dates have few characters; a time and a zone can follow.
  date: () => 30,
  // A column of the primary address can have all addresses.
  email: ({ max }) => (1 + CONTACT_FIELDS.additionalEmails.maxItems) * max,
  emails: ({ max, maxItems = 0 }) => (1 + maxItems) * max,
  texts: ({ max, maxItems = 0 }) => maxItems * max,
  addresses: ({ max, maxItems = 0 }) => maxItems * (ADDRESS_PARTS.length - 1) * max,
  // One JSON object.
  customFields: () => MAX_RECORD,
};

function columnsOf([field, declaration]: (typeof FIELDS)[number]): [PlainField, ImportColumn][] {
  const { kind, alias, headers } = declaration;
  const longest = LONGEST[kind](declaration);
  const parts = Object.entries(PARTS).filter(([, { writes }]) => writes === field);
  return [
    [field, { writes: field, alias, headers, longest }],
    ...parts.map(([part, how]) => [part, { ...how, longest }] as [PlainField, ImportColumn]),
  ];
}

const NOTES = {
  writes: 'notes',
  alias: 'note',
  longest: MAX_NOTE,
  headers:
    'notes|note|notizen|notiz|bemerkung|bemerkungen|anmerkung|anmerkungen|kommentar|comments|comment|remarque|remarques|notas|observaciones|observacoes|commenti|opmerkingen|notities|poznamka|poznamky|notatki|notatka|uwagi|jegyzet|megjegyzes|notlar|заметки|personnotes|備考|メモ|备注|備註|메모|비고|anteckningar|anteckning|notater|bemærkninger|muistiinpanot|huomautukset|contactnotes',
} as const;

const COLUMNS = Object.fromEntries([
  ['id', { writes: null, headers: 'id', longest: 36 }],
  ...FIELDS.flatMap(columnsOf),
  ['notes', NOTES],
]) as Readonly<Record<PlainField, ImportColumn>>;

/** The fields to which a column can be mapped, in the order of the table of fields. */
export const PLAIN_FIELDS = Object.keys(COLUMNS) as readonly PlainField[];

export const SYNONYMS = PLAIN_FIELDS.map((field) => [field, COLUMNS[field].headers] as const);

/**
 * `customFields.age`: the cell is the text. `customFieldsJson.age`: the cell is a JSON scalar (`5`, `true`, `null`,
 * `"5"`), as the export writes when a key has values other than plain text.
 */
export type CustomField = `customFields.${string}` | `customFieldsJson.${string}`;

/** `addresses.2.city`: a part of the second address, from 1. */
export type AddressField = `addresses.${number}.${keyof PostalAddress}`;

export type ImportField = PlainField | CustomField | AddressField;

/** The length of keys is counted in characters, as in a request body. */
const CUSTOM = new RegExp(`^customFields(Json)?\\.(.{1,${CONTACT_FIELDS.customFields.maxKey}})$`, 'su');
const ADDRESS = new RegExp(`^addresses\\.(\\d{1,2})\\.(${ADDRESS_PARTS.join('|')})$`);
const NAMES = new Map<string, PlainField>(
  PLAIN_FIELDS.flatMap((field) =>
    [field, COLUMNS[field].alias ?? []].flat().map((name) => [name, field] as const),
  ),
);

/** The field with this name, undefined without one. Keys of custom fields follow the rules of a request body. */
export function fieldNamed(name: string): ImportField | undefined {
  const plain = NAMES.get(name);
  if (plain) return plain;
  if (addressPart(name as ImportField)) return name as AddressField;
  const field = normalized(name);
  const key = CUSTOM.exec(field)?.[2];
  return key === undefined || RESERVED_NAMES.has(key) ? undefined : (field as CustomField);
}

export function customKey(field: ImportField): { key: string; isJson: boolean } | undefined {
  const found = CUSTOM.exec(field);
  return found ? { key: found[2] as string, isJson: found[1] !== undefined } : undefined;
}

export function addressPart(field: ImportField): { at: number; part: keyof PostalAddress } | undefined {
  const found = ADDRESS.exec(field);
  const at = Number(found?.[1]) - 1;
  if (!found || at < 0 || at >= CONTACT_FIELDS.addresses.maxItems) return undefined;
  return { at, part: found[2] as keyof PostalAddress };
}

export function contactFieldsOf(
  columns: readonly { readonly field: ImportField }[],
): (ContactField | 'notes')[] {
  return [...new Set(columns.flatMap(({ field }) => contactFieldOf(field) ?? []))];
}

function contactFieldOf(field: ImportField): ContactField | 'notes' | null {
  if (addressPart(field)) return 'addresses';
  return isPlain(field) ? COLUMNS[field].writes : 'customFields';
}

const isPlain = (field: ImportField): field is PlainField => field in COLUMNS;

/**
 * Whether a cell is longer than any value of its field: it is refused without being parsed. Most cells are within the limit of
 * every field, which is compared first.
 */
export function isTooLong(field: ImportField, cell: string): boolean {
  if (cell.length <= UNITS * SHORTEST_LIMIT) return false;
  const longest = longestCell(field);
  return cell.length > longest && cell.trim().length > longest;
}

/** In UTF-16 units. */
function longestCell(field: ImportField): number {
  const custom = customKey(field);
  if (custom) return CONTACT_FIELDS.customFields.max * (custom.isJson ? UNITS_OF_JSON : UNITS);
  return UNITS * (addressPart(field) ? CONTACT_FIELDS.addresses.max : COLUMNS[field as PlainField].longest);
}

const SHORTEST_LIMIT = Math.min(
  CONTACT_FIELDS.customFields.max,
  CONTACT_FIELDS.addresses.max,
  ...Object.values(COLUMNS).map(({ longest }) => longest),
);

/** Whether a row is imported without a cell that is too long: a detail, which does not identify its contact. */
export function isDispensable(field: ImportField): boolean {
  const written = contactFieldOf(field);
  return FIELDS.some(([name, { isDispensable }]) => name === written && isDispensable);
}
