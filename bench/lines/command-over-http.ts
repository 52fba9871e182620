import { Business } from '../support/business.js';
import { atLeast, type Line } from '../support/line.js';
import { compare, ratio } from '../support/measure.js';
import { Scheduling } from '../support/scheduling.js';

const CLIENTS = 32;

/**
 * The same command by the same number of callers, once from the bus and once through the API, which validates each
 * request with identity. API, identity and clients are three processes in addition to PostgreSQL.
 */
export const commandOverHttp: Line = {
  name: 'command-over-http',
  async run(bench) {
    const business = await Business.open(bench, CLIENTS);
    try {
      const scheduling = new Scheduling(business);
      const rates = await compare([await scheduling.command(), await scheduling.http()], {
        workers: CLIENTS,
        repetitions: bench.repetitions,
        warmUpMs: 1_000 * bench.scale,
        durationMs: 3_000 * bench.scale,
      });
      const what = `schedule command over HTTP, caller validated each time, ${CLIENTS} clients`;
      return [
        atLeast(0.3, { what, against: 'the command without HTTP', ...ratio(rates, 'http', 'command') }),
      ];
    } finally {
      await business.close();
    }
  },
};
