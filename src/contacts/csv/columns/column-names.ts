import { tidyText } from '#libs/http';

/** The first column of a file of failed rows. An import ignores it. */
export const PROBLEMS_COLUMN = 'import_error';

/** In UTF-16 units. Longer names are cut: they are text, and reports repeat them. */
export const LONGEST_HEADER = 200;

/**
 * Unique names of columns: `#3` without a name, `Phone (2)` for a duplicate. A header row that is shorter than the rows is
 * completed with numbers.
 */
export function columnNames(header: readonly string[] | null, count: number): string[] {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return Array.from({ length: Math.max(count, header?.length ?? 0) }, (_, index) => {
    const given = header?.[index]?.slice(0, LONGEST_HEADER).toWellFormed().replaceAll('\0', '') ?? '';
    const name = tidyText(given) ?? `#${index + 1}`;
    let unique = name;
    let number = next.get(name) ?? 2;
    for (; used.has(unique); number += 1) unique = `${name} (${number})`;
    next.set(name, number);
    used.add(unique);
    return unique;
  });
}
