import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { Caller } from '#libs/auth';
import type { Database } from '#libs/database';
import { EventStore } from '#libs/event-store';
import type { ValidatedCaller } from '#libs/platform-client';
import { ImportContacts, ImportContactsHandler } from '../../src/contacts/csv/import/import-contacts.js';
import { ImportLock } from '../../src/contacts/csv/import/import-lock.js';
import type { ImportReportDto } from '../../src/contacts/csv/dto/import-report.dto.js';
import { rowIds } from '../../src/contacts/csv/import/staging.js';
import { Spool } from '#libs/uploads';
import type { BenchDatabase } from '../support/bench.js';
import { contactRow, writeContacts } from '../support/contact-files.js';
import { atLeast, atMost, type Line, type Result } from '../support/line.js';
import { median } from '../support/measure.js';

const ROWS = 100_000;
const MANY = 1_000_000;
const COPY = `COPY contacts.contact (id, organization_id, name, email, email_key, company, job_title, phones, tags,
  external_id, custom_fields) FROM STDIN`;

/** A file against COPY of the same contacts into the same table with all its indexes; matching by email, and no contact matching. */
export const csvImport: Line = {
  name: 'csv-import',
  async run(bench) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
    const db = await bench.database(4);
    try {
      const rows = Math.round(ROWS * bench.scale);
      const path = join(folder, 'contacts.csv');
      await writeContacts(path, 0, rows);
      const ratios: number[] = [];
      for (let repetition = 0; repetition < bench.repetitions; repetition += 1) {
        const copying = await timed(db, () => copyContacts(db.database, rows));
        const importing = await timed(db, () => importFile(db.database, path, rows));
        ratios.push(copying / importing);
      }
      const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
      return [
        atLeast(0.7, {
          what: `import of a CSV file with ${rows.toLocaleString('en')} contacts`,
          against: 'COPY into the same indexed table',
          ...{ ratio: median(ratios), note: `${low.toFixed(2)} to ${high.toFixed(2)}` },
        }),
        await memory(db, folder, Math.round(MANY * bench.scale)),
      ];
    } finally {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** On an empty table each time. @returns milliseconds */
async function timed({ database }: BenchDatabase, work: () => Promise<unknown>): Promise<number> {
  await database.query('TRUNCATE contacts.contact, contacts.contact_import CASCADE');
  await database.query('CHECKPOINT');
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function copyContacts(database: Database, rows: number): Promise<void> {
  const [organizationId, idOf] = [randomUUID(), rowIds()];
  const lines = function* () {
    for (let n = 0; n < rows; n += 1) {
      const [name, email, company, jobTitle, phone, tags = '', externalId, plan] = contactRow(n);
      const tagList = `{"${tags.split('; ').join('","')}"}`;
      yield `${[idOf(n), organizationId, name, email, email, company, jobTitle, `{"${phone}"}`, tagList, externalId, `{"plan":"${plan}"}`].join('\t')}\n`;
    }
  };
  await database.session(({ client }) => pipeline(Readable.from(lines()), client.query(copyFrom(COPY))));
}

async function importFile(database: Database, path: string, rows: number): Promise<ImportReportDto> {
  const handler = new ImportContactsHandler(new ImportLock(database), new EventStore(database));
  const organizationId = randomUUID();
  const principal = { id: randomUUID(), type: 'user' as const, name: 'Bench', email: null };
  const caller = Caller.of(
    { principal, user: { principalType: 'user' }, organizations: [] } as unknown as ValidatedCaller,
    'bearer',
  );
  const file = await Spool.open();
  await file.write(createReadStream(path));
  const request = {
    caller,
    upload: { file, name: 'contacts.csv', signal: new AbortController().signal },
    rules: {
      organizationId,
      dryRun: false,
      duplicates: 'update',
      lists: 'add',
      key: 'email',
      onDeletedMatch: 'restore',
      onError: 'continue',
      raw: false,
    },
    hints: {},
    storeAnswer: () => Promise.resolve(),
  } as const;
  const report = await handler.execute(new ImportContacts(request)).finally(() => file.close());
  if (report.totals.created !== rows) throw new Error(JSON.stringify(report.totals));
  return report;
}

/** Maximum memory of this process during an import of ten times as many rows, above its start. */
async function memory(db: BenchDatabase, folder: string, rows: number): Promise<Result> {
  const path = join(folder, 'many.csv');
  await writeContacts(path, 0, rows);
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  const took = await timed(db, () => importFile(db.database, path, rows)).finally(() => clearInterval(watch));
  return atMost(150, 'MB', {
    what: `memory of an import of ${rows.toLocaleString('en')} contacts, above what was there`,
    against: '-',
    value: (most - before) / 1e6,
    note: `in ${Math.round(took / 1_000)} s`,
  });
}
