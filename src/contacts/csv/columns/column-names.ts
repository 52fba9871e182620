import { tidyText } from '../../validation/tidy.js';

/** What a file of failed rows has in front of the columns it was made from. It is no column of a file that is imported. */
export const PROBLEMS_COLUMN = 'import_error';

/**
 * Names to tell columns by: without a name `#3`, on a second use `Phone (2)`. A header row that is too short for the
 * rows below goes on with numbers.
 */
export function columnNames(header: readonly string[] | null, count: number): string[] {
  const used = new Set<string>();
  return Array.from({ length: Math.max(count, header?.length ?? 0) }, (_, index) => {
    const name = tidyText(header?.[index]?.replaceAll('\0', '') ?? '') ?? `#${index + 1}`;
    let unique = name;
    for (let n = 2; used.has(unique); n += 1) unique = `${name} (${n})`;
    used.add(unique);
    return unique;
  });
}
