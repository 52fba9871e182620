import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '#libs/database';
import { ContactSearch } from '../../src/contacts/queries/contacts.search.js';
import { ExportContacts, ExportContactsHandler } from '../../src/contacts/csv/export/export-contacts.js';
import { insertContacts } from '../support/contact-files.js';
import { atLeast, atMost, type Line } from '../support/line.js';
import { compare, ratio } from '../support/measure.js';

const ROWS = 100_000;
const COPY = `COPY (SELECT id, name, email, company, job_title, phones, tags, custom_fields, external_id
  FROM contacts.contact WHERE deleted_at IS NULL ORDER BY id) TO STDOUT (FORMAT csv, HEADER)`;

/** All contacts of an organization as CSV, guarded against formulas, against COPY TO of the same columns in the same order. */
export const csvExport: Line = {
  name: 'csv-export',
  async run(bench) {
    const db = await bench.database(4);
    try {
      const rows = Math.round(ROWS * bench.scale);
      const organizationId = randomUUID();
      await insertContacts(db.database, organizationId, rows);
      await db.database.query('VACUUM ANALYZE contacts.contact');
      const rates = await compare(
        [
          { name: 'copy', work: () => copyOut(db.database, rows) },
          { name: 'export', work: () => exportAll(db.database, organizationId, rows) },
        ],
        {
          workers: 1,
          repetitions: bench.repetitions,
          warmUpMs: 1_000 * bench.scale,
          durationMs: 5_000 * bench.scale,
        },
      );
      const before = process.memoryUsage().rss;
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
      await exportAll(db.database, organizationId, rows);
      clearInterval(watch);
      const what = `export of ${rows.toLocaleString('en')} contacts as CSV`;
      return [
        atLeast(0.5, { what, against: 'COPY TO of the same rows', ...ratio(rates, 'export', 'copy') }),
        atMost(50, 'MB', {
          what: `memory of an ${what}, above what was there`,
          against: '-',
          value: (most - before) / 1e6,
        }),
      ];
    } finally {
      await db.close();
    }
  },
};

async function copyOut(database: Database, rows: number): Promise<number> {
  let bytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done();
    },
  });
  await database.session(({ client }) => pipeline(client.query(copyTo(COPY)), sink));
  if (bytes < rows * 50) throw new Error(`${bytes} bytes.`);
  return rows;
}

async function exportAll(database: Database, organizationId: string, rows: number): Promise<number> {
  const handler = new ExportContactsHandler(database, new ContactSearch(database));
  const what = { organizationIds: [organizationId], deleted: false, raw: false };
  let lines = 0;
  for await (const text of (await handler.execute(new ExportContacts(what))).text)
    lines += text.split('\r\n').length - 1;
  if (lines !== rows + 1) throw new Error(`${lines} lines.`);
  return rows;
}
