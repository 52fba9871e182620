import { tidyText } from '#libs/http';

/** The first column of a file of failed rows. An import ignores it. */
export const PROBLEMS_COLUMN = 'import_error';

/**
 * Unique names of columns: `#3` without a name, `Phone (2)` for a duplicate. A header row that is shorter than the rows is
 * completed with numbers.
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
