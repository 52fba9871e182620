/**
 * What programs and people write for a missing value: punctuation, `n/a`, the errors of spreadsheets, and NULL of databases.
 * Other words, such as `None` and `na`, are also names.
 */
const PLACEHOLDER =
  /^\s*(?:[-–—_.?/\\]+|#?[nN][/ ][aA]|[nN]\.\s?[aA]\.?|#(?:REF|VALUE|NUM|NAME|DIV\/0)[!?]|[<([](?:null|NULL)[>)\]]|\\N|NULL)\s*$/u;
/** Longest placeholder with white space around it. */
const LONGEST = 40;

/** Whether a cell, as it is in the file, stands for no value. The same in all columns. */
export const isPlaceholder = (cell: string): boolean => cell.length <= LONGEST && PLACEHOLDER.test(cell);
