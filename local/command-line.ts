import { parseArgs } from 'node:util';
import { Refusal } from './refusal.js';

export interface CliOptions {
  /** No demo organization. */
  readonly empty: boolean;
  /** Remove all data of the data folder first. */
  readonly reset: boolean;
  /** Skip the confirmation of --reset. */
  readonly yes: boolean;
}

const USAGE = 'Known are --empty (no demo data), --reset (start over; asks first) and --yes (do not ask).';

/** @throws Refusal for an unknown option */
export function readCliOptions(args: readonly string[]): CliOptions {
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
