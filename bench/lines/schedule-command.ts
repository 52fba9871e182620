import { Pool } from 'pg';
import { Business } from '../support/business.js';
import { atLeast, type Line } from '../support/line.js';
import { compare, type Contender, ratio } from '../support/measure.js';
import { insertRaw, makeRawTable } from '../support/raw-insert.js';
import { Scheduling } from '../support/scheduling.js';

const WRITERS = 8;

/** May the caller, load, decide, append, view and publication rows: the cost of one command compared with one INSERT. */
export const scheduleCommand: Line = {
  name: 'schedule-command',
  async run(bench) {
    const business = await Business.open(bench, WRITERS);
    const pool = new Pool({ connectionString: business.db.url, max: WRITERS });
    try {
      const rates = await compare([await raw(business, pool), await new Scheduling(business).command()], {
        workers: WRITERS,
        repetitions: bench.repetitions,
        warmUpMs: 500 * bench.scale,
        durationMs: 2_000 * bench.scale,
      });
      const what = `schedule command without HTTP, ${WRITERS} at a time`;
      return [atLeast(0.3, { what, against: 'raw INSERT of one event', ...ratio(rates, 'command', 'raw') })];
    } finally {
      await pool.end();
      await business.close();
    }
  },
};

async function raw({ db }: Business, pool: Pool): Promise<Contender> {
  await makeRawTable(db.database);
  return {
    name: 'raw',
    prepare: async () => {
      await db.database.query('TRUNCATE bench_raw.event');
      await db.database.query('CHECKPOINT');
    },
    async work() {
      await insertRaw(pool);
      return 1;
    },
  };
}
