import { isPlaceholder } from './empty-cell.js';

/** First characters of a formula in a spreadsheet (OWASP, CSV injection; ASVS 1.2.10), also full-width ones. */
const SIGNS = String.raw`=+\-@\0＝＋－＠`;
/** Leading apostrophes are included, so that removing one restores exactly the original cell. */
const DANGEROUS = new RegExp(String.raw`^'*[${SIGNS}\t\r\n]`);
/** First characters of cells that may need the guard. */
export const FORMULA_SIGN = new RegExp(String.raw`['${SIGNS}\t\r\n]`);

/**
 * A formula within a cell: a program that splits at another delimiter, or ignores quotes that do not begin a cell, makes a cell
 * of its own of it. Some programs ignore spaces in front.
 */
const DELIMITERS = String.raw`,;|"\t\r\n`;
const DANGEROUS_PART = new RegExp(String.raw`(?<=[${DELIMITERS}])[' ]*[${SIGNS}][^${DELIMITERS}]*`, 'g');

/** Numbers and phone numbers start like a formula but are none; the guard would damage them. */
const HARMLESS = /^([+-]?\d+([.,]\d+)*|\+\d[\d\s()./-]*(; \+?\d[\d\s()./-]*)*)$/;
const isHarmless = (text: string): boolean => HARMLESS.test(text.trim());

/** An import reads a placeholder as empty, and one with an apostrophe as text. */
const needsGuard = (cell: string): boolean => DANGEROUS.test(cell) || isPlaceholder(cell.replace(/^'+/, ''));

/** The cell as plain text for spreadsheets: an apostrophe before the start of each formula. */
export function guarded(cell: string): string {
  const inside = cell.replace(DANGEROUS_PART, (part) => (isHarmless(part) ? part : `'${part}`));
  return needsGuard(cell) && !HARMLESS.test(cell) ? `'${inside}` : inside;
}

/** Undoes `guarded`, the parts first: whether the whole cell was guarded shows in its original parts. */
export function unguarded(cell: string): string {
  const inside = cell.replace(DANGEROUS_PART, (part) => (part.startsWith("'") ? part.slice(1) : part));
  return inside.startsWith("'") && needsGuard(inside) ? inside.slice(1) : inside;
}
