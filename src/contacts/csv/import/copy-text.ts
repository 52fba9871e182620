const SPECIAL = /[\0\\\n\r\t]/;

type CopyValue = string | number | boolean | null | readonly string[];

/**
 * One line of PostgreSQL's COPY text format. Zero characters, which PostgreSQL cannot store, become U+FFFD.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyValue).join('\t')}\n`;
}

function copyValue(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  return typeof value === 'object' ? escaped(arrayLiteral(value)) : String(value);
}

function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Character by character: one call for each of a million backslashes takes seconds. */
function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll('\0', '\ufffd')
    .replace(/\\/g, '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}
