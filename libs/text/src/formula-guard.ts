/** First characters of a formula in a spreadsheet (OWASP, CSV injection; ASVS 1.2.10), also full-width ones. */
const SIGNS = String.raw`=+\-@\0＝＋－＠`;
/** Programs ignore white space in front. Tabs and line breaks are delimiters. */
const BEFORE = String.raw`(?:'|[^\S\t\r\n])*`;
/** Leading apostrophes are included, so that removing one restores exactly the original cell. */
const DANGEROUS = new RegExp(String.raw`^(?:${BEFORE}[${SIGNS}]|'*[\t\r\n])`);
const BREAK_FIRST = /^[\t\r\n]/;
/** First characters of cells that may need the guard. */
const FIRST = new RegExp(String.raw`^['\s${SIGNS}]`);

/**
 * A formula within a cell: a program that splits at another delimiter, or ignores quotes that do not begin a cell, makes a cell
 * of its own of it.
 */
const DELIMITERS = String.raw`,;|"\t\r\n`;
const DANGEROUS_PART = new RegExp(String.raw`(?<=[${DELIMITERS}])${BEFORE}[${SIGNS}][^${DELIMITERS}]*`, 'g');

export interface FormulaGuard {
  /** Whether a cell without delimiters certainly stays as it is; cheaper than `guarded`. */
  readonly isPlain: (cell: string) => boolean;
  /** The cell as plain text for spreadsheets: an apostrophe before the start of each formula. */
  readonly guarded: (cell: string) => string;
  /** Undoes `guarded`, exactly. */
  readonly unguarded: (cell: string) => string;
}

export interface GuardRules {
  /** Text that starts like a formula and is none; given without white space around it. */
  readonly isHarmless?: (text: string) => boolean;
  /** Other cells that get an apostrophe, too; given without leading apostrophes. */
  readonly isOther?: (cell: string) => boolean;
}

const never = () => false;

export function formulaGuard({ isHarmless = never, isOther = never }: GuardRules = {}): FormulaGuard {
  const needsGuard = (cell: string) => DANGEROUS.test(cell) || isOther(cell.replace(/^'+/, ''));
  return {
    isPlain: (cell) => !FIRST.test(cell) && !isOther(cell),
    guarded(cell) {
      const inside = cell.replace(DANGEROUS_PART, (part) => (isHarmless(part.trim()) ? part : `'${part}`));
      const isNumber = !BREAK_FIRST.test(cell) && isHarmless(cell.trim());
      return needsGuard(cell) && !isNumber ? `'${inside}` : inside;
    },
    /** The parts first: whether the whole cell was guarded shows in its original parts. */
    unguarded(cell) {
      const inside = cell.replace(DANGEROUS_PART, (part) => (part.startsWith("'") ? part.slice(1) : part));
      return inside.startsWith("'") && needsGuard(inside) ? inside.slice(1) : inside;
    },
  };
}
