import { AppendContenders } from '../support/append-contenders.js';
import { atLeast, type Line, type Result } from '../support/line.js';
import { compare, type Rate, ratio } from '../support/measure.js';

const GOALS = new Map([
  [1, 0.85],
  [8, 0.8],
  [32, 0.65],
]);

/** One event to a new stream, each committed by itself, by 1, 8 and 32 writers. */
export const appendOne: Line = {
  name: 'append-one',
  async run(bench) {
    const results: Result[] = [];
    const own = new Map<number, Rate>();
    for (const [workers, goal] of GOALS) {
      const contenders = await AppendContenders.open(bench, workers);
      const rates = await compare([contenders.raw(), contenders.own(), contenders.emmettAppend()], {
        workers,
        repetitions: bench.repetitions,
        warmUpMs: 500 * bench.scale,
        durationMs: 2_000 * bench.scale,
      });
      await contenders.close();
      own.set(workers, rates.get('own') as Rate);
      const what = `append one event, own round trip, ${workers} writers`;
      results.push(
        atLeast(goal, { what, against: 'raw INSERT of the same row', ...ratio(rates, 'own', 'raw') }),
      );
      results.push(atLeast(2.2, { what, against: 'emmett-postgresql', ...ratio(rates, 'own', 'emmett') }));
    }
    const scaling = (own.get(8)?.median ?? 0) / (own.get(1)?.median ?? 1);
    results.push(atLeast(2.5, { what: 'append one event, 8 writers', against: '1 writer', ratio: scaling }));
    return results;
  },
};
