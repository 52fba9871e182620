import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import type { RunningService } from '#libs/http';
import { startWorker } from '../../src/start-worker.js';
import { eventually } from '../support/eventually.js';
import { sharedStorage } from '../support/object-storage.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

describe('the metrics of the worker', () => {
  let test: TestDatabase;
  let worker: RunningService;
  beforeAll(async () => {
    test = await createTestDatabase();
    worker = await startWorker({
      ...{ ...test.environment, DATABASE_POOL_SIZE: '10', WORKER_MANAGEMENT_PORT: '0' },
      ...{ LOG_LEVEL: 'silent', ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}` },
      ...sharedStorage(),
    });
  });
  afterAll(async () => {
    await worker.close();
    await test.drop();
  });

  const page = async () => {
    const answer = await fetch(`${worker.managementUrl}/metrics`);
    return { status: answer.status, text: await answer.text() };
  };

  it('tell all of the log at the first request', async () => {
    const { status, text } = await page();
    expect(status).toBe(200);
    const gauges = ['lag_seconds', 'lag_events', 'reaction_stopped', 'reaction_unreadable_seconds'];
    for (const name of gauges.map((gauge) => `event_store_${gauge}`))
      expect(text).toMatch(new RegExp(`^${name}\\{reaction="[^"]+"\\} \\d`, 'm'));
    expect(text).toMatch(/^database_oldest_writing_transaction_seconds \d/m);
    expect(text).toMatch(/^posts_late 0$/m);
  });

  it('name a long writing transaction by process and application, and log it once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const writer = new Client({ connectionString: test.url, application_name: 'slow report' });
    await writer.connect();
    try {
      await writer.query('BEGIN');
      const { rows } = await writer.query<{ pid: number }>(
        'SELECT pg_backend_pid() AS pid, pg_current_xact_id()',
      );
      const pid = rows[0]?.pid;
      const line = new RegExp(
        `^database_long_writing_transaction_seconds\\{pid="${pid}",application="slow report"\\} \\d`,
        'm',
      );
      await eventually(async () => expect((await page()).text).toMatch(line));
      await page();
      const mine = warn.mock.calls.filter(([fields]) => (fields as { pid?: number }).pid === pid);
      expect(mine).toEqual([
        [
          { pid, application: 'slow report', ageSeconds: expect.any(Number) },
          'A long writing transaction holds back the readers of the event log.',
        ],
      ]);
      await writer.query('COMMIT');
      expect((await page()).text).not.toMatch(line);
    } finally {
      await writer.end();
      warn.mockRestore();
    }
  });

  it('are there without a database', async () => {
    await test.drop();
    const { status, text } = await page();
    expect(status).toBe(200);
    expect(text).toMatch(/^metrics_collection_failures_total\{collection="due_posts"\} 1$/m);
    expect(text).not.toMatch(/^(posts_late|posts_due|event_store_lag_seconds\{|database_oldest)/m);
  });
});
