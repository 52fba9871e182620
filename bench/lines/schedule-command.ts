import { AppendContenders } from '../support/append-contenders.js';
import { Business } from '../support/business.js';
import type { Line } from '../support/line.js';
import { atLeast } from '../support/line.js';
import { compare, ratio } from '../support/measure.js';
import { Scheduling } from '../support/scheduling.js';

const WRITERS = 8;

/** May the caller, load, decide, append, view and publication rows: what one command costs beside one INSERT. */
export const scheduleCommand: Line = {
  name: 'schedule-command',
  async run(bench) {
    const business = await Business.open(bench, WRITERS);
    const contenders = await AppendContenders.open(bench, WRITERS);
    try {
      const rates = await compare([contenders.raw(), await new Scheduling(business).command()], {
        workers: WRITERS,
        repetitions: bench.repetitions,
        warmUpMs: 500 * bench.scale,
        durationMs: 2_000 * bench.scale,
      });
      const what = `schedule command without HTTP, ${WRITERS} at a time`;
      return [atLeast(0.3, { what, against: 'raw INSERT of one event', ...ratio(rates, 'command', 'raw') })];
    } finally {
      await contenders.close();
      await business.close();
    }
  },
};
