import { randomBytes } from 'node:crypto';
import { startWorker } from '../../src/worker.js';
import { sharedStorage } from '../support/object-storage.js';
import { createTestDatabase } from '../support/test-database.js';

describe('the metrics of the worker', () => {
  it('tell all of the log at the first asking, and are there without a database', async () => {
    const test = await createTestDatabase();
    const worker = await startWorker({
      ...{
        DATABASE_URL: test.url,
        DATABASE_POOL_SIZE: '10',
        WORKER_MANAGEMENT_PORT: '0',
        LOG_LEVEL: 'silent',
      },
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      ...sharedStorage(),
    });
    try {
      const page = async () => {
        const answer = await fetch(`${worker.managementUrl}/metrics`);
        return { status: answer.status, text: await answer.text() };
      };
      const first = await page();
      expect(first.status).toBe(200);
      for (const name of [
        'event_store_lag_seconds',
        'event_store_reaction_stopped',
        'event_store_lag_events',
      ])
        expect(first.text).toMatch(new RegExp(`^${name}\\{reaction="[^"]+"\\} \\d`, 'm'));
      expect(first.text).toMatch(/^posts_late 0$/m);

      await test.drop();
      const without = await page();
      expect(without.status).toBe(200);
      expect(without.text).toMatch(/^metrics_collection_failures_total\{collection="due_posts"\} 1$/m);
      expect(without.text).not.toMatch(/^(posts_late|posts_due|event_store_lag_seconds\{)/m);
    } finally {
      await worker.close();
      await test.drop();
    }
  });
});
