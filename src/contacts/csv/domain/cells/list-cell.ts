import { CONTACT_FIELDS, type TextsField } from '../../../domain/contact-fields.js';
import { withoutTextFormula, isPlaceholder } from './raw-cell.js';

const NEEDS_JSON = /:::|[;,\r\n]|^\* |^\[|^"/;

/** An import would read a placeholder as no value, and a formula that is a text as that text. */
const needsJson = (value: string): boolean =>
  NEEDS_JSON.test(value) || isPlaceholder(value) || withoutTextFormula(value) !== value;

/** Several values in one cell: separated by semicolons, or a JSON array when a value would be read as something else. */
export function listCell(values: readonly string[]): string {
  return values.some(needsJson) ? JSON.stringify(values) : values.join('; ');
}

/** A JSON list that may have a placeholder: these are short, or have no letter. */
const MAYBE_PLACEHOLDER = /"(?:[^\p{L}\d"]+|[^"]{0,8})"/u;
/** A JSON list of which no value needs escapes: each quote delimits a value. */
const PLAIN_LIST = /^\["[^"\\,;:*[]*(?:","[^"\\,;:*[]*)*"\]$/;

/** The cell of a JSON list, as the database writes it: without spaces. Most lists need only other delimiters. */
export function listCellOfJson(json: string): string {
  if (json === '[]' || json === '') return '';
  if (PLAIN_LIST.test(json) && !MAYBE_PLACEHOLDER.test(json))
    return json.slice(2, -2).replaceAll('","', '; ');
  return listCell(JSON.parse(json) as string[]);
}

/**
 * The values of a cell that `listCell` or another program wrote. Google's labels start with `* `; Mailchimp's tags are
 * quoted and separated by commas.
 */
export function valuesOfCell(cell: string, field: TextsField): string[] {
  const values = jsonList(cell) ?? quotedList(cell);
  if (values) return values;
  const given = cell.split(CONTACT_FIELDS[field].separator).map((value) => value.trim().replace(/^\* /, ''));
  return given.filter((value) => !isPlaceholder(value)).map(withoutTextFormula);
}

/** `"One, two","Three"`: applies only to the whole cell. */
const QUOTED_LIST = /^"[^"]*(?:""[^"]*)*"(?:\s*[,;]\s*"[^"]*(?:""[^"]*)*")*$/;

function quotedList(cell: string): string[] | undefined {
  if (!QUOTED_LIST.test(cell)) return undefined;
  const values = cell.match(/"[^"]*(?:""[^"]*)*"/g) ?? [];
  return values.map((value) => value.slice(1, -1).replaceAll('""', '"').trim());
}

function jsonList(cell: string): string[] | undefined {
  if (!cell.startsWith('["')) return undefined;
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) && list.every((value) => typeof value === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
