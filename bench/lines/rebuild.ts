import { Pool } from 'pg';
import { EventStore, Projections, Reactions } from '#libs/event-store';
import { CountActivityWhenContentChanges } from '../../src/content-ops/daily/count-activity-when-content-changes.reaction.js';
import { postAggregate } from '../../src/posts/domain/evolve.js';
import { postProjection } from '../../src/posts/views/post.projection.js';
import type { BenchDatabase } from '../support/bench.js';
import { atLeast, type Line } from '../support/line.js';
import { median } from '../support/measure.js';
import { writePostHistory } from '../support/post-history.js';

/** Rebuilds the views of posts and the rollups from the log. */
export const rebuild: Line = {
  name: 'rebuild',
  async run(bench) {
    const db = await bench.database(10);
    const events = await writePostHistory(db.database, 1_000_000 * bench.scale);
    const { projections, rollup } = productOn(db);
    await pretendCaughtUp(db, rollup);
    const measured = { read: [] as number[], empty: [] as number[], filled: [] as number[] };
    for (let n = 0; n < Math.min(3, bench.repetitions); n += 1) {
      measured.read.push(await seconds(() => readInOrder(db.url)));
      await db.database.query('TRUNCATE posts.post_view, posts.publication');
      measured.empty.push(await seconds(() => projections.rebuild()));
      measured.filled.push(await seconds(() => projections.rebuild()));
    }
    await db.close();
    const result = (what: string, rebuilds: readonly number[]) => {
      const ratios = measured.read.map((read, index) => read / (rebuilds[index] ?? Number.NaN));
      const note = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
      return atLeast(0.4, { what, against: 'plain ordered read', ratio: median(ratios), note });
    };
    const what = `rebuild every view and rollup of ${events} events`;
    return [
      result(`${what}, views empty before`, measured.empty),
      result(`${what}, rows correct before`, measured.filled),
    ];
  },
};

function productOn({ database }: BenchDatabase) {
  const store = new EventStore(database);
  const reactions = new Reactions(database, store);
  const views = () => [{ aggregate: postAggregate, view: postProjection }];
  const rollups = new CountActivityWhenContentChanges();
  reactions.register(rollups);
  return { projections: new Projections(database, store, reactions, views), rollup: rollups.name };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The limit for one Node reader: pages of 1 000 along the primary key, parsed by pg. */
async function readInOrder(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  let cursor = ['0', '0'];
  for (;;) {
    const { rows } = await pool.query<{ transaction_id: string; position: string }>({
      name: 'bench_read',
      text: `SELECT * FROM events.event WHERE (transaction_id, position) > ($1::xid8, $2::bigint)
        ORDER BY transaction_id, position LIMIT 1000`,
      values: cursor,
    });
    const last = rows.at(-1);
    if (!last) break;
    cursor = [last.transaction_id, last.position];
  }
  await pool.end();
}

/** A rebuild stops at the position of the live reaction. */
async function pretendCaughtUp({ database }: BenchDatabase, reaction: string): Promise<void> {
  await database.query(
    `INSERT INTO events.reaction (name, cursor_transaction_id, cursor_position)
     SELECT $1, transaction_id, position FROM events.event
     ORDER BY transaction_id DESC, position DESC LIMIT 1`,
    [reaction],
  );
}
