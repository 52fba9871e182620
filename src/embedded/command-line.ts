import { parseArgs } from 'node:util';
import { Refusal } from './refusal.js';

export interface Wishes {
  /** No demo organization. */
  readonly empty: boolean;
  /** Start over: all data kept in the data folder is removed first. */
  readonly reset: boolean;
  /** Do not ask before removing. */
  readonly yes: boolean;
}

const USAGE = 'Known are --empty (no demo data), --reset (start over; asks first) and --yes (do not ask).';

/** @throws Refusal for what is not known. */
export function readWishes(args: readonly string[]): Wishes {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        empty: { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new Refusal(`${(error as Error).message.split('. ')[0]}. ${USAGE}`);
  }
}
