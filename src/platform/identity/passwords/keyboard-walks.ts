/** `from`: horizontal offset of the row in key widths. */
const ROWS = [
  { keys: '1234567890', from: 0 },
  { keys: 'qwertyuiop', from: 0.5 },
  { keys: 'asdfghjkl', from: 0.75 },
  { keys: 'zxcvbnm', from: 1.25 },
];
const SHIFTED = '!@#$%^&*()';

interface Key {
  readonly row: number;
  readonly x: number;
}

const KEYS = new Map<string, Key>(
  ROWS.flatMap(({ keys, from }, row) =>
    [...keys].map((key, i): [string, Key] => [key, { row, x: from + i }]),
  ),
);
for (const [i, mark] of [...SHIFTED].entries()) KEYS.set(mark, { row: 0, x: i });

/**
 * Minimum number of walks over adjacent keys or the alphabet that produce the text: two for `qwer1234`, five for `horse`.
 * American keyboard, lower case.
 */
export function countWalks(text: string): number {
  const characters = [...text];
  let walks = 0;
  for (let at = 0; at < characters.length; walks += 1)
    at = Math.max(...[isAdjacent, isNext, isBefore].map((isStep) => endOf(characters, at, isStep)));
  return walks;
}

function endOf(
  characters: readonly string[],
  from: number,
  isStep: (a: string, b: string) => boolean,
): number {
  let to = from + 1;
  while (to < characters.length && isStep(characters[to - 1] ?? '', characters[to] ?? '')) to += 1;
  return to;
}

function isAdjacent(a: string, b: string): boolean {
  const [one, other] = [KEYS.get(a), KEYS.get(b)];
  if (a === b || !one || !other) return a === b;
  const [rows, across] = [Math.abs(one.row - other.row), Math.abs(one.x - other.x)];
  return rows === 0 ? across === 1 : rows === 1 && across < 1;
}

function isNext(a: string, b: string): boolean {
  return (b.codePointAt(0) ?? 0) - (a.codePointAt(0) ?? 0) === 1;
}

function isBefore(a: string, b: string): boolean {
  return isNext(b, a);
}
