import { AppendContenders } from '../support/append-contenders.js';
import { atLeast, type Line, type Result } from '../support/line.js';
import { compare, ratio } from '../support/measure.js';

const SIZE = 1_000;

/** A thousand events to one new stream in one statement. */
export const appendBatch: Line = {
  name: 'append-batch',
  async run(bench) {
    const results: Result[] = [];
    for (const workers of [1, 8]) {
      const contenders = await AppendContenders.open(bench, workers);
      const all = [contenders.raw(SIZE), contenders.own(SIZE), contenders.emmettAppend(SIZE)];
      const rates = await compare(all, {
        workers,
        repetitions: bench.repetitions,
        warmUpMs: 500 * bench.scale,
        durationMs: 2_500 * bench.scale,
      });
      await contenders.close();
      const what = `append ${SIZE} events in one batch, ${workers} writers`;
      results.push(atLeast(0.9, { what, against: 'raw INSERT from arrays', ...ratio(rates, 'own', 'raw') }));
      results.push(atLeast(2.2, { what, against: 'emmett-postgresql', ...ratio(rates, 'own', 'emmett') }));
    }
    return results;
  },
};
