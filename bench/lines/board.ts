import { createBoard } from '../support/boards.js';
import { MAX_TOTAL } from '#libs/http';
import { ask, type Author, Business } from '../support/business.js';
import { atMost, type Line } from '../support/line.js';
import { median, percentile } from '../support/measure.js';

const CARDS = 100_000;
const REQUESTS = 200;
const WARM_UP = 20;
const GOAL_MS = 50;

interface BoardPage {
  readonly stages: readonly {
    readonly total?: number;
    readonly totalExceeds?: number;
    readonly cards: object[];
    readonly nextCursor: string;
  }[];
}

/** Pages of a large board over HTTP, one after the other, the caller validated by identity each time. */
export const board: Line = {
  name: 'board',
  async run(bench) {
    const business = await Business.open(bench, 1);
    try {
      const [author] = business.authors as [Author];
      const cards = Math.round(CARDS * bench.scale);
      const crowd = await createBoard(business.db.database, author.organizationId, cards);
      await business.db.database.query('VACUUM ANALYZE');
      const api = await business.served('src/main.js', 1);
      const path = `/api/pipeline/${crowd.pipelineId}/board`;
      const read = async (query = '') => JSON.parse(await ask(api, author, 'GET', path + query)) as BoardPage;
      const first = await read();
      const counted = first.stages.reduce(
        (sum, { total, totalExceeds = 0 }) => sum + (total ?? totalExceeds),
        0,
      );
      if (counted !== Math.min(crowd.cards, first.stages.length * MAX_TOTAL))
        throw new Error(`${counted} cards are counted of ${crowd.cards}.`);
      const further = `?stageId=${crowd.stageIds[0]}&cursor=${first.stages[0]?.nextCursor}`;
      const against = `${cards} cards, 5 stages, 25 of each, 1 in 50 deleted`;
      return [
        await timed('board over HTTP, first page', against, () => read()),
        await timed('board over HTTP, a further page of one stage', against, () => read(further)),
      ];
    } finally {
      await business.close();
    }
  },
};

async function timed(what: string, against: string, read: () => Promise<BoardPage>) {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + REQUESTS; n += 1) {
    const start = performance.now();
    const { stages } = await read();
    if (n >= WARM_UP) times.push(performance.now() - start);
    if (stages.some(({ cards }) => cards.length !== 25)) throw new Error('A page that is not full.');
  }
  const note = `p95 ${percentile(times, 0.95).toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms of ${REQUESTS}`;
  return atMost(GOAL_MS, 'ms', { what, against, value: median(times), note });
}
