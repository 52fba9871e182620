import { formulaGuard } from '#libs/text';

/**
 * What programs and people write for a missing value: punctuation, `n/a`, the errors of spreadsheets, and NULL of databases.
 * Other words, such as `None` and `na`, are also names.
 */
const PLACEHOLDER =
  /^\s*(?:[-–—_.?/\\]+|#?[nN][/ ][aA]|[nN]\.\s?[aA]\.?|#(?:REF|VALUE|NUM|NAME|DIV\/0)[!?]|[<([](?:null|NULL)[>)\]]|\\N|NULL)\s*$/u;
/** Longest placeholder with white space around it. */
const LONGEST = 40;

export const isPlaceholder = (cell: string): boolean => cell.length <= LONGEST && PLACEHOLDER.test(cell);

/** Numbers and phone numbers start like a formula but are none; the guard would damage them. */
const HARMLESS = /^([+-]?\d+([.,]\d+)*|\+\d[\d\s()./-]*(; \+?\d[\d\s()./-]*)*)$/;

export const GUARD = formulaGuard({
  isHarmless: (text) => HARMLESS.test(text),
  // An import reads a placeholder as empty, and one with an apostrophe as text.
  isOther: isPlaceholder,
});
export const { guarded, unguarded } = GUARD;

/** Excel's way to keep leading zeros: a formula that is a text. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

export function withoutTextFormula(cell: string): string {
  const text = TEXT_FORMULA.exec(cell)?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

/** A number as a spreadsheet shows it when the column is narrow, `4.20601E+11`, or as Java writes it, `4.20601E11`. */
const SCIENTIFIC = /^(\+?\d)(?:[.,](\d{1,20})E\+?|E\+)(\d{1,2})$/i;

/** What a spreadsheet shows in place of a number that does not fit. */
const HIDDEN = /^\s*#{3,}\s*$/;
export const isHidden = (cell: string): boolean => HIDDEN.test(cell);

/** Whether the digits of a number are lost: it had more than the cell shows. */
export const hasLostDigits = (value: string): boolean =>
  SCIENTIFIC.test(value) && wholeNumber(value) === value;

/** A number that a spreadsheet or a table library read as a floating-point one: `420601000333.0`. */
const FLOAT = /^(\+?\d{5,15})[.,]0{1,2}$/;

/** The digits as they were, if they are all there; otherwise the value unchanged. */
export function wholeNumber(value: string): string {
  const [, first, others = '', exponent] = SCIENTIFIC.exec(value) ?? [];
  if (first !== undefined && others.length === Number(exponent)) return first + others;
  return FLOAT.exec(value)?.[1] ?? value;
}
