import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../support/bench.js';
import { atLeast, atMost, forTheRecord, type Line, type Result } from '../support/line.js';
import { MemoryWatch } from '../support/memory-watch.js';
import { quantile, reportOf, type ScaleReport } from '../support/scale-report.js';
import { ScaleWorld } from '../support/scale-world.js';

const POSTS = 10_000;
const VIDEOS = 200;
const ACCOUNTS = 200;
const MINUTE_MS = 60_000;
const LEAD_MS = 15_000;
const PATIENCE_MS = 300_000;
/** A worker is killed when a third of the minute is over. */
const KILL_AFTER = 1 / 3;

/**
 * Every kind but `usage-capped`, which stops a network until an operator ends the hold. On other networks than X a rate limit
 * concerns the whole service and holds it for up to an hour, so only X refuses for that.
 */
const FAULTS: readonly Readonly<Record<string, unknown>>[] = [
  { kind: 'drop-on-arrival' },
  { kind: 'delay-before-effect', delayMs: 300 },
  { kind: 'delay-after-effect', delayMs: 300 },
  { kind: 'drop-before-effect' },
  { kind: 'rate-limited', network: 'x', resetSeconds: 5 },
  { kind: 'unauthorized' },
  { kind: 'forbidden' },
  { kind: 'server-error-before-effect' },
  { kind: 'answer-instead', status: 502, body: '<html>Bad gateway</html>' },
  { kind: 'drop-after-effect' },
  { kind: 'cut-answer' },
  { kind: 'server-error-after-effect' },
  { kind: 'unreadable-answer' },
];

/**
 * All networks at once, with faults and a killed worker, limits raised; then without faults under the limits that networks publish.
 * The networks, the workers and the object store share the machine.
 */
export const allNetworks: Line = {
  name: 'all-networks',
  run: async (bench) => [...(await underFaults(bench)), ...(await underLimits(bench))],
};

async function underFaults(bench: Bench): Promise<Result[]> {
  const world = await ScaleWorld.open(bench, { raised: true, accounts: ACCOUNTS * bench.scale });
  try {
    const api = await world.startApi();
    await world.startGateway();
    const survivor = await world.startWorker();
    const victim = await world.startWorker();
    const planned = await world.plan(POSTS * bench.scale, VIDEOS * bench.scale, api);
    const start = Date.now() + LEAD_MS;
    const ids = await world.schedule(
      planned,
      (index) => new Date(start + (index / planned.length) * MINUTE_MS),
    );
    await switchOnFaults(world);
    await sleep(Math.max(0, start - Date.now()));
    const memory = new MemoryWatch(survivor.managementUrl);
    await sleep(MINUTE_MS * KILL_AFTER);
    victim.process.kill();
    await settled(world, ids, start + MINUTE_MS + PATIENCE_MS);
    const report = await reportOf(world.db.database, ids, await effectsOf(world));
    return resultsOf(report, memory.end(), planned.filter(({ kind }) => kind === 'video').length);
  } finally {
    await world.close();
  }
}

async function switchOnFaults(world: ScaleWorld): Promise<void> {
  for (const outside of world.outsides)
    for (const [seed, fault] of FAULTS.entries())
      await outside.switchOn({ ...fault, probability: 0.01, seed: seed + 1 });
}

const effectsOf = async (world: ScaleWorld) =>
  (await Promise.all(world.outsides.map((outside) => outside.effectsAfter(0)))).flat();

/** Resolves when no post is due or being sent; posts that are held for longer wait beyond. */
async function settled(world: ScaleWorld, ids: readonly string[], until: number): Promise<void> {
  const open = async () => {
    const [row] = await world.db.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM posts.publication
       WHERE post_id = ANY ($1::uuid[]) AND (attempt_id IS NOT NULL OR due_at < now() + interval '20 seconds')`,
      [ids],
    );
    return row?.count ?? 0;
  };
  while (Date.now() < until && (await open()) > 0) await sleep(1_000);
}

function resultsOf(report: ScaleReport, memory: { first: number; last: number }, videos: number): Result[] {
  const { posts, published, held, failed, unconfirmed, failures } = report;
  const what = `${posts} posts in one minute on all networks, 1 % faults of each kind, one of two workers killed`;
  const none = (part: string, value: number) =>
    atMost(0, 'posts', { what: `${what}: ${part}`, against: 'the ledgers of the networks', value });
  const { late, lateUndisturbed } = report;
  const seconds = (values: readonly number[]) =>
    [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(2)).join(', ');
  return [
    none('sent twice', report.twice),
    none('lost', report.lost),
    none('sent, recorded as not sent', report.contradicted),
    forTheRecord({
      what: `${what}: published`,
      against: 'all',
      ratio: published / posts,
      note: `${videos} videos; ${published} published, ${failed} failed, ${unconfirmed} unconfirmed, ${held} held; failed as ${JSON.stringify(failures)}; held as ${JSON.stringify(report.holds)}`,
    }),
    atMost(6, 's', {
      what: `${what}: late at most, 99 % of posts without a fault`,
      against: '-',
      value: quantile(lateUndisturbed, 0.99),
      note: `p50, p99, max ${seconds(lateUndisturbed)}; of all ${seconds(late)}; p99 by network ${JSON.stringify(report.latePerNetwork)}`,
    }),
    atMost(1.2, '×', {
      what: `${what}: memory of the surviving worker at the end`,
      against: 'in the beginning',
      value: memory.last / memory.first,
      note: `${Math.round(memory.first)} MB, then ${Math.round(memory.last)} MB`,
    }),
  ];
}

const LIMITED_ACCOUNTS = 16;
/** Above the smallest daily limit that a network of the run publishes. */
const POSTS_PER_ACCOUNT = 120;
const LIMITED_PATIENCE_MS = 120_000;

async function underLimits(bench: Bench): Promise<Result[]> {
  const world = await ScaleWorld.open(bench, { raised: false, accounts: LIMITED_ACCOUNTS });
  try {
    const api = await world.startApi();
    await world.startGateway();
    await world.startWorker();
    await world.startWorker();
    const planned = await world.plan(LIMITED_ACCOUNTS * POSTS_PER_ACCOUNT, 0, api);
    const start = Date.now() + LEAD_MS;
    const ids = await world.schedule(planned, () => new Date(start));
    await settled(world, ids, start + LIMITED_PATIENCE_MS);
    const report = await reportOf(world.db.database, ids, await effectsOf(world));
    const calls = await Promise.all(world.outsides.map((outside) => outside.answeredCalls()));
    const refused = calls.flat().filter(({ status }) => status >= 400);
    const what = `${report.posts} posts due at one instant under the limits that networks publish`;
    const note = refused.map(
      ({ network, route, status, count }) => `${network} ${route} ${status}: ${count}`,
    );
    return [
      atMost(0, 'calls', {
        what: `${what}: refused`,
        against: '-',
        value: refused.reduce((sum, { count }) => sum + count, 0),
        note: note.join('; '),
      }),
      atLeast(0.01, {
        what: `${what}: held`,
        against: 'all',
        ratio: report.held / report.posts,
        note: `${report.published} published, ${report.held} held, ${report.failed} failed, ${report.lost} lost, ${report.twice} twice`,
      }),
    ];
  } finally {
    await world.close();
  }
}
