/**
 * The start of a formula in a spreadsheet (OWASP, CSV injection; ASVS 1.2.10): these first characters, also full-width
 * ones. Leading apostrophes are included, so that removing one restores exactly the original cell.
 */
const DANGEROUS = /^'*[=+\-@\t\r\n\0＝＋－＠]/;
/** First characters of cells that may need the guard. */
export const FORMULA_SIGN = /['=+\-@\t\r\n\0＝＋－＠]/;

/** Numbers and phone numbers start like a formula but are none; the guard would damage them. */
const HARMLESS = /^([+-]?\d+([.,]\d+)*|\+\d[\d\s()./-]*(; \+?\d[\d\s()./-]*)*)$/;

/** The cell as plain text for spreadsheets: an apostrophe before the start of a formula. */
export function guarded(cell: string): string {
  return DANGEROUS.test(cell) && !HARMLESS.test(cell) ? `'${cell}` : cell;
}

/** Undoes `guarded`. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && DANGEROUS.test(cell) ? cell.slice(1) : cell;
}
