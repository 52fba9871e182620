import { emailKey, isEmailKey } from '#libs/email-address';

/** The start of a file, split by one delimiter. */
export interface SplitRows {
  /** From the header line. */
  readonly rows: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  /** Known cells of the header line. */
  readonly known: number;
}

/** Minimum of known cells of a header; a single one can be a word in prose. */
export const MIN_HEADER_CELLS = 2;
/** Weight of each criterion, relative to one known cell of a header. */
const [UNSURE, EQUAL_COUNTS, WHOLE_ADDRESSES, SPACE_IN_FRONT] = [0.5, 4, 4, -3];

/** The plausibility of the cells. Each term is a share between 0 and 1, except for the number of known cells. */
export function scoreOf({ rows, hasHeader, known }: SplitRows): number {
  const counted = known >= MIN_HEADER_CELLS ? known : known * UNSURE;
  const data = hasHeader ? rows.slice(1) : rows;
  return (
    counted +
    EQUAL_COUNTS * equalCounts(rows, hasHeader) +
    WHOLE_ADDRESSES * wholeAddresses(data) +
    SPACE_IN_FRONT * spaceInFront(rows)
  );
}

/**
 * The share of rows with the most common number of cells, if that is more than one; halved when the header has another
 * number.
 */
export function equalCounts(rows: SplitRows['rows'], hasHeader: boolean): number {
  const counts = Map.groupBy(rows, ({ length }) => length);
  const [commonest] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  if (!commonest || commonest[0] < 2) return 0;
  const headerFits = !hasHeader || rows[0]?.length === commonest[0];
  return (commonest[1].length / rows.length) * (headerFits ? 1 : 0.5);
}

/** The share of cells with an address that hold nothing else. A wrong delimiter leaves the next cell attached. */
function wholeAddresses(rows: SplitRows['rows']): number {
  const cells = rows.flat().filter((cell) => HOLDS_ADDRESS.test(cell) && cell.length <= LONGEST);
  const whole = cells.filter((cell) =>
    cell
      .trim()
      .split(/[;,\s]+|:::/)
      .every(isAddress),
  );
  return cells.length === 0 ? 0 : whole.length / cells.length;
}

const isAddress = (text: string) => text === '' || isEmailKey(emailKey(text.replace(/^<|>$/g, '')));

/** Prose has a space after a comma, a table does not. */
function spaceInFront(rows: SplitRows['rows']): number {
  const cells = rows.flatMap((row) => row.slice(1)).filter((cell) => cell !== '');
  return cells.length === 0 ? 0 : cells.filter((cell) => cell.startsWith(' ')).length / cells.length;
}

/** Only the last character before the `@`: cells are long, and the search starts at each of their characters. */
export const HOLDS_ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/;
/** Several addresses at most. */
const LONGEST = 1_000;
