import { randomBytes } from 'node:crypto';
import { Database } from '#libs/database';
import { startService } from '#libs/http';
import { workerService } from '../../src/api/service.js';
import type { Bench } from '../support/bench.js';
import { BlocksRead, explainStatements } from '../support/blocks-read.js';
import { type Author, Business } from '../support/business.js';
import { fillInstallation, KEY_ID } from '../support/growth/fill-installation.js';
import { grownMember } from '../support/growth/grown-member.js';
import { CALLBACK_SECRET } from '../support/growth/member.js';
import { BOUNDED, QUESTIONS } from '../support/growth/operations.js';
import { PeriodicStatements } from '../support/growth/periodic-statements.js';
import { ALLOWANCE, allowed, GOAL, readByOperations } from '../support/growth/read-by-operations.js';
import type { Line, Result } from '../support/line.js';
import { ObjectStore } from '../support/object-store.js';

const FEW = 1_000;
const MANY = 1_000_000;
/** Organizations of an installation, each with a few rows that a worker could look at. */
const [FEW_ORGANIZATIONS, MANY_ORGANIZATIONS] = [1_000, 100_000];

/** Blocks that PostgreSQL reads with many rows, compared with few: for each operation, and for what a worker does periodically. */
export const growth: Line = {
  name: 'growth',
  async run(bench) {
    const store = await ObjectStore.start();
    try {
      return [...(await ofOperations(bench, store)), ...(await ofWorker(bench, store))];
    } finally {
      await store.stop();
    }
  },
};

/** An organization with a thousand posts, contacts, files and events alone, the same next to one with a million of each, and that one. */
async function ofOperations(bench: Bench, { environment }: ObjectStore): Promise<Result[]> {
  const business = await Business.open(bench, 2);
  try {
    const { database } = business.db;
    await explainStatements({ database });
    const apps = { FACEBOOK_APP_ID: 'growth', FACEBOOK_APP_SECRET: CALLBACK_SECRET, X_CLIENT_ID: 'growth' };
    const { api } = await business.apiHere({ ...environment, ...apps, X_CLIENT_SECRET: 'growth' });
    const [small, large] = business.authors as [Author, Author];
    const grown = (author: Author, rows: number) =>
      grownMember({ ...author, url: api.url, database }, rows, () => Promise.resolve());
    const blocks = new BlocksRead(api.app.get(Database));
    const few = await grown(small, FEW);
    const alone = await readByOperations(blocks, few, true);
    const many = await grown(large, MANY * bench.scale);
    const withMany = await readByOperations(blocks, few, true);
    const read = await readByOperations(blocks, many, true);
    const rows = `${FEW} rows`;
    return [...QUESTIONS.keys()].map((question) => {
      const [before = 0, after = 0, other = 0] = [alone, read, withMany].map((each) => each.get(question));
      const note = `with many: ${other}${BOUNDED[question] ? `; ${BOUNDED[question].why}` : ''}`;
      const limit = allowed(question, before);
      return ratioOf({
        what: question,
        against: rows,
        before,
        after,
        met: Math.max(after, other) <= limit,
        note,
      });
    });
  } finally {
    await business.close();
  }
}

/** Of each statement that a worker sends without a request, while nothing is due. */
async function ofWorker(bench: Bench, { environment }: ObjectStore): Promise<Result[]> {
  const db = await bench.database(4);
  await explainStatements(db);
  const worker = await startService(workerService, {
    ...{ DATABASE_URL: db.url, WORKER_MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent' },
    ENCRYPTION_KEYS: `${KEY_ID}:${randomBytes(32).toString('base64')}`,
    MEDIA_ADDRESS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
    ...environment,
  });
  try {
    const periodic = new PeriodicStatements(worker);
    await fillInstallation(db.database, FEW_ORGANIZATIONS);
    const few = await periodic.blocks();
    await fillInstallation(db.database, MANY_ORGANIZATIONS * bench.scale);
    const many = await periodic.blocks();
    const against = `${FEW_ORGANIZATIONS} organizations`;
    const results = [...many].map(([text, after]) => {
      const before = few.get(text) ?? 0;
      const what = `worker: ${text.replace(/\s+/g, ' ').trim().slice(0, 60)}`;
      return ratioOf({ what, against, before, after, met: after <= allowed(text, before), note: '' });
    });
    return results.toSorted((a, b) => Number(b.value) - Number(a.value));
  } finally {
    await worker.close();
    await db.close();
  }
}

interface Read {
  readonly what: string;
  readonly against: string;
  readonly before: number;
  readonly after: number;
  readonly met: boolean;
  readonly note: string;
}

const ratioOf = ({ what, against, before, after, met, note }: Read): Result => ({
  ...{ what, against, met },
  value: (after / Math.max(before, 1)).toFixed(2),
  goal: BOUNDED[what] ? `≤ ${BOUNDED[what].most} blocks` : `≤ ${GOAL}, or + ${ALLOWANCE} blocks`,
  note: `${before} and ${after} blocks${note && `; ${note}`}`,
});
