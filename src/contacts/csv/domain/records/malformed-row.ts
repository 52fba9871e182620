/** A well-formed quoted cell, with white space around it. */
const QUOTED = / *"([^"]*(?:""[^"]*)*)" */y;

/**
 * The cells of a row that cannot be parsed, for a person to correct. Well-formed cells are decoded; a malformed cell is
 * unchanged, quotes included, and ends at the next delimiter.
 */
export function cellsOfMalformedRow(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at += delimiter.length) {
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(text);
    if (quoted && isBorder(text, QUOTED.lastIndex, delimiter)) {
      cells.push((quoted[1] as string).replaceAll('""', '"'));
      at += quoted[0].length;
    } else {
      const next = text.indexOf(delimiter, at);
      const end = next < 0 ? text.length : next;
      cells.push(text.slice(at, end));
      at = end;
    }
  }
  return cells;
}

const isBorder = (text: string, at: number, delimiter: string): boolean =>
  at === text.length || text.startsWith(delimiter, at);
