/**
 * What a spreadsheet takes for a formula (OWASP, CSV injection; ASVS 1.2.10): these first characters, full-width ones
 * too. Apostrophes in front count along, so that taking one off gives back exactly what one was put on.
 */
const DANGEROUS = /^'*[=+\-@\t\r\n\0＝＋－＠]/;
/** What cells begin with that may have to be guarded. */
export const FORMULA_SIGN = /['=+\-@\t\r\n\0＝＋－＠]/;

/** A number, a phone number or several: they begin like a formula, are none, and would be spoiled. */
const HARMLESS = /^([+-]?\d+([.,]\d+)*|\+\d[\d\s()./-]*(; \+?\d[\d\s()./-]*)*)$/;

/** The cell as text and nothing else, for programs that calculate: an apostrophe goes in front of what begins a formula. */
export function guarded(cell: string): string {
  return DANGEROUS.test(cell) && !HARMLESS.test(cell) ? `'${cell}` : cell;
}

/** Undoes `guarded`. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && DANGEROUS.test(cell) ? cell.slice(1) : cell;
}
