import { AppendContenders } from '../support/append-contenders.js';
import { atLeast, forTheRecord, type Line } from '../support/line.js';
import { compare, ratio } from '../support/measure.js';

const WORKERS = 8;

/** What TypeORM's transaction costs around the same statement on the same driver. */
export const appendInTransaction: Line = {
  name: 'append-in-transaction',
  async run(bench) {
    const contenders = await AppendContenders.open(bench, WORKERS);
    const rates = await compare(
      [contenders.bareTransaction(), contenders.typeOrmTransaction(), contenders.emmettAppend()],
      {
        workers: WORKERS,
        repetitions: bench.repetitions,
        warmUpMs: 500 * bench.scale,
        durationMs: 2_000 * bench.scale,
      },
    );
    await contenders.close();
    const what = `append in a TypeORM transaction, ${WORKERS} writers`;
    return [
      atLeast(0.95, { what, against: 'the same SQL on bare pg', ...ratio(rates, 'typeorm', 'bare') }),
      forTheRecord({ what, against: 'emmett-postgresql', ...ratio(rates, 'typeorm', 'emmett') }),
    ];
  },
};
