import type { Bench } from './bench.js';

/** One measured ratio (or duration) and what was aimed at. */
export interface Result {
  readonly what: string;
  readonly against: string;
  /** As printed: `0.83`, `12 ms`. */
  readonly value: string;
  readonly goal: string;
  readonly met: boolean;
  /** Spread of the repetitions, counts checked, whatever helps to judge the value. */
  readonly note?: string;
}

/** A group of results that are measured together. `name` is what `npm run bench -- <name>` selects. */
export interface Line {
  readonly name: string;
  run(bench: Bench): Promise<Result[]>;
}

export function atLeast(
  goal: number,
  values: { what: string; against: string; ratio: number; note?: string },
): Result {
  const { what, against, ratio, note } = values;
  return { what, against, value: ratio.toFixed(2), goal: `≥ ${goal}`, met: ratio >= goal, note };
}

/** A ratio without a goal. */
export function forTheRecord(values: {
  what: string;
  against: string;
  ratio: number;
  note?: string;
}): Result {
  const { what, against, ratio, note } = values;
  return { what, against, value: ratio.toFixed(2), goal: '-', met: true, note };
}

/** The result of a line that failed. */
export function failed(line: string): Result {
  return { what: line, against: '-', value: 'failed', goal: '-', met: false };
}

export function atMost(
  goal: number,
  unit: string,
  values: { what: string; against: string; value: number; note?: string },
): Result {
  const { what, against, value, note } = values;
  return {
    what,
    against,
    value: `${value.toFixed(1)} ${unit}`,
    goal: `≤ ${goal} ${unit}`,
    met: value <= goal,
    note,
  };
}
