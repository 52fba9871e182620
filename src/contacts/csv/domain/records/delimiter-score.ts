import { emailKey, isEmailKey } from '../../../domain/email.js';

/** A beginning of a file, cut by one delimiter. */
export interface CutRows {
  /** From the header line on. */
  readonly rows: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  /** Cells of the header line that are known. */
  readonly known: number;
}

/** Two cells that are known make a header; one could be a word of a letter. */
export const SURE = 2;
/** What a look is worth, compared with one known cell of a header. */
const [UNSURE, EQUAL_COUNTS, WHOLE_ADDRESSES, SPACE_IN_FRONT] = [0.5, 4, 4, -3];

/** How plausible the cells are. Each part of it is a share between 0 and 1, but for the known cells, which are counted. */
export function scoreOf({ rows, hasHeader, known }: CutRows): number {
  const counted = known >= SURE ? known : known * UNSURE;
  const data = hasHeader ? rows.slice(1) : rows;
  return (
    counted +
    EQUAL_COUNTS * equalCounts(rows, hasHeader) +
    WHOLE_ADDRESSES * wholeAddresses(data) +
    SPACE_IN_FRONT * spaceInFront(rows)
  );
}

/** Share of rows with the commonest number of cells, when that is more than one; half of it where the header has another. */
export function equalCounts(rows: CutRows['rows'], hasHeader: boolean): number {
  const counts = Map.groupBy(rows, ({ length }) => length);
  const [commonest] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  if (!commonest || commonest[0] < 2) return 0;
  const headerFits = !hasHeader || rows[0]?.length === commonest[0];
  return (commonest[1].length / rows.length) * (headerFits ? 1 : 0.5);
}

/** Of the cells that hold an address, the share that hold nothing else. A wrong delimiter leaves the next cell on it. */
function wholeAddresses(rows: CutRows['rows']): number {
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

/** Prose has a space behind a comma, a table does not. */
function spaceInFront(rows: CutRows['rows']): number {
  const cells = rows.flatMap((row) => row.slice(1)).filter((cell) => cell !== '');
  return cells.length === 0 ? 0 : cells.filter((cell) => cell.startsWith(' ')).length / cells.length;
}

/** Of what stands before the sign the last character only: cells are long, and looked through from each of theirs. */
export const HOLDS_ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/;
/** Several addresses at most. */
const LONGEST = 1_000;
