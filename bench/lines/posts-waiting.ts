import { EventStore } from '#libs/event-store';
import { Posts } from '../../src/posts/posts.stream.js';
import { reschedule } from '../../src/posts/domain/scheduling.js';
import { METADATA } from '../support/raw-insert.js';
import type { Bench } from '../support/bench.js';
import { atLeast, type Line, type Result } from '../support/line.js';
import { compare, type Contender, median, ratio } from '../support/measure.js';
import { OutsideWorld } from '../support/outside-world.js';
import { publishAtOnce } from '../support/publish-at-once.js';
import { Publishing } from '../support/publishing.js';

/**
 * DESIGN section 13 names a million. Each waiting post is two events, rows in two views, and audit and rollup rows that the
 * workers must have caught up with before the drain. Measured on a busy machine of two cores: 1 800 posts a second to store and
 * 4 300 events a second to catch up with, so a million takes more than ten minutes of set-up.
 */
const WAITING = 100_000;
const MOVED = 2_000;
const MOVERS = 8;
const ACCOUNTS = 1_000;
const DRAINED = 4_000;
const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;
const by = { type: 'user', id: '019a0000-0000-7000-8000-000000000003' } as const;

/** The same work with a hundred thousand posts of the coming month, and with the moved posts only. */
export const postsWaiting: Line = {
  name: 'posts-waiting',
  async run(bench) {
    const outside = await OutsideWorld.start();
    const opened: Publishing[] = [];
    try {
      const accounts = await outside.accounts(ACCOUNTS * bench.scale);
      const open = async (waiting: number) => {
        const publishing = await Publishing.open(bench, outside, accounts);
        opened.push(publishing);
        return { publishing, moved: await fill(publishing, waiting) };
      };
      const few = await open(MOVED);
      const many = await open(Math.max(MOVED, WAITING * bench.scale));
      const rescheduled = await rescheduleRates(bench, few, many);
      return [rescheduled, await drainRates(bench, outside, few.publishing, many.publishing)];
    } finally {
      for (const publishing of opened) await publishing.close();
      await outside.stop();
    }
  },
};

interface Setup {
  readonly publishing: Publishing;
  /** Posts to be moved. */
  readonly moved: readonly string[];
}

async function fill(publishing: Publishing, waiting: number): Promise<string[]> {
  const ids = await publishing.schedule(waiting, randomTime);
  await publishing.db.database.query('VACUUM ANALYZE');
  return ids.slice(0, MOVED);
}

function randomTime(): Date {
  return new Date(Date.now() + HOUR_MS + Math.random() * MONTH_MS);
}

async function rescheduleRates(bench: Bench, few: Setup, many: Setup): Promise<Result> {
  const rates = await compare([mover('few', few), mover('many', many)], {
    workers: MOVERS,
    repetitions: bench.repetitions,
    warmUpMs: 1_000 * bench.scale,
    durationMs: 4_000 * bench.scale,
  });
  const what = `reschedule, ${WAITING * bench.scale} future posts waiting`;
  return atLeast(0.9, { what, against: 'none waiting', ...ratio(rates, 'many', 'few') });
}

/** The posts have no files. */
const NO_FILES = { concerns: () => false, run: () => Promise.resolve() };

function mover(name: string, { publishing, moved }: Setup): Contender {
  const { database } = publishing.db;
  const posts = new Posts(database, new EventStore(database), NO_FILES);
  let turn = 0;
  return {
    name,
    prepare: async () => void (await database.query('CHECKPOINT')),
    async work() {
      const id = moved[(turn += 1) % moved.length] as string;
      await posts.change(id, (now) => reschedule(randomTime().toISOString(), by, now), METADATA);
      return 1;
    },
  };
}

async function drainRates(
  bench: Bench,
  outside: OutsideWorld,
  few: Publishing,
  many: Publishing,
): Promise<Result> {
  const posts = DRAINED * bench.scale;
  const ratios: number[] = [];
  for (const publishing of [few, many]) {
    await publishing.startWorker();
    await publishing.caughtUp();
  }
  for (let n = 0; n < bench.repetitions; n += 1) {
    const alone = await publishAtOnce(outside, few, posts);
    const concurrent = await publishAtOnce(outside, many, posts);
    ratios.push(alone.lastSeconds / concurrent.lastSeconds);
  }
  return atLeast(0.9, {
    what: `publish ${posts} due posts, ${WAITING * bench.scale} future posts waiting`,
    against: 'none waiting',
    ratio: median(ratios),
    note: ratios.map((each) => each.toFixed(2)).join(', '),
  });
}
