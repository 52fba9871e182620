import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { type RunningService, startService } from '#libs/http';
import { workerService } from '../../src/api/service.js';
import { eventually } from '../support/eventually.js';
import { sharedStorage } from '../support/object-storage.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the metrics of the worker', () => {
  let test: TestDatabase;
  let worker: RunningService;
  beforeAll(async () => {
    test = await createTestDatabase();
    worker = await startService(workerService, {
      ...{ ...test.environment, DATABASE_POOL_SIZE: '10', WORKER_MANAGEMENT_PORT: '0' },
      LOG_LEVEL: 'silent',
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
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

  it('report the whole log at the first request', async () => {
    const { status, text } = await page();
    expect(status).toBe(200);
    const gauges = ['lag_seconds', 'lag_events', 'reaction_stopped', 'reaction_unreadable_seconds'];
    for (const name of gauges.map((gauge) => `event_store_${gauge}`))
      expect(text).toMatch(new RegExp(`^${name}\\{reaction="[^"]+"\\} \\d`, 'm'));
    expect(text).toMatch(/^database_oldest_writing_transaction_seconds \d/m);
    expect(text).toMatch(/^posts_late 0$/m);
  });

  describe('of a reaction that does not go on', () => {
    const REACTION = 'content-ops.audit';
    const set = (change: string) =>
      test.database.query(`UPDATE events.reaction SET ${change} WHERE name = $1`, [REACTION]);
    const gauge = (name: string, value: string) =>
      new RegExp(`^event_store_reaction_${name}\\{reaction="${REACTION}"\\} ${value}`, 'm');
    const details = async (path: string) =>
      ((await (await fetch(`${worker.managementUrl}${path}`)).json()) as { details: unknown }).details;
    const eventLogIs = (expected: object) =>
      eventually(async () => {
        for (const path of ['/readyz', '/health'])
          expect(await details(path)).toMatchObject({ eventLog: expected });
      });
    afterEach(() =>
      set(`state = 'running', error = NULL, unreadable = NULL, unreadable_since = NULL,
        unreadable_transaction_id = NULL, unreadable_position = NULL, lease_until = '-infinity'`),
    );

    it('show that it stopped, as readiness and health do', async () => {
      await set(`state = 'stopped', error = 'An event has no brand.'`);
      expect((await page()).text).toMatch(gauge('stopped', '1$'));
      await eventLogIs({ status: 'degraded', message: expect.stringContaining(REACTION) });
    });

    it('show that no replica can read the next event, as readiness and health do', async () => {
      // Another replica has the reaction, so that the worker leaves the row as it is.
      await set(`owner = gen_random_uuid(), lease_until = 'infinity', fence = fence + 1, unreadable = 'ThingPainted',
        unreadable_since = clock_timestamp() - interval '1 min', unreadable_transaction_id = '1000000',
        unreadable_position = 1`);
      expect((await page()).text).toMatch(gauge('unreadable_seconds', '[6-9]\\d'));
      expect((await page()).text).toMatch(gauge('stopped', '0$'));
      await eventLogIs({ status: 'up', waitForNewerRelease: [REACTION] });
    });
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

  it('are available without a database', async () => {
    await test.drop();
    const { status, text } = await page();
    expect(status).toBe(200);
    expect(text).toMatch(/^metrics_collection_failures_total\{collection="due_posts"\} 1$/m);
    expect(text).not.toMatch(/^(posts_late|posts_due|event_store_lag_seconds\{|database_oldest)/m);
  });
});
