import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#libs/database';
import { ExclusivePaymentTargets1790000000430 } from '../../src/platform/gateway/migrations/1790000000430-exclusive-payment-targets.js';
import { UndeliveredPaymentEvents1790000000431 } from '../../src/platform/gateway/migrations/1790000000431-undelivered-payment-events.js';
import type { TestDatabase } from '../support/test-database.js';
import { RowLock } from '../support/row-lock.js';
import { createTestDatabase } from '../support/test-database.js';

describe('migrations of payments', () => {
  let test: TestDatabase;
  let source: DataSource;
  let runner: QueryRunner;

  beforeAll(async () => {
    test = await createTestDatabase();
    source = await new DataSource(dataSourceOptions({ url: test.url, poolSize: 2 }, [])).initialize();
    runner = source.createQueryRunner();
  });
  afterAll(async () => {
    await runner.release();
    await source.destroy();
    await test.drop();
  });

  const indexes = () =>
    runner.query(
      `SELECT indexdef FROM pg_indexes WHERE schemaname = 'gateway' AND tablename LIKE 'payment%' ORDER BY 1`,
    );

  it('let one change of an object be exclusive that two credentials began, and can be reverted', async () => {
    const before = await indexes();
    const [targets, events] = [
      new ExclusivePaymentTargets1790000000430(),
      new UndeliveredPaymentEvents1790000000431(),
    ];
    await events.down(runner);
    await targets.down(runner);
    const owner = [randomUUID(), randomUUID()];
    const sql = `INSERT INTO gateway.payment_operation
        (id, application_id, application, organization_id, credential_id, kind, target, request_hash, state, due_at, is_exclusive)
      VALUES ($1, $2, 'marketing', $3, gen_random_uuid(), 'subscription_item.update', 'si_1', 'hash', 'unknown', now(), true)`;
    const begin = (id: string) => runner.query(sql, [id, ...owner]);
    const [older, newer, meanwhile] = ['01', '02', '03'].map(
      (first) => `${first}937c5e-2a6b-7c3d-9e4f-5a6b7c8d9e0f`,
    );
    for (const id of [newer, older]) await begin(id ?? '');
    // A replica of the former release commits another one while the migration runs.
    const replica = await RowLock.by(test, sql, [meanwhile, ...owner]);
    await replica.meanwhile([targets.up(runner)]);
    await events.up(runner);
    expect(await indexes()).toEqual(before);
    expect(await runner.query('SELECT id FROM gateway.payment_operation WHERE is_exclusive')).toEqual([
      { id: older },
    ]);
    await expect(begin(randomUUID())).rejects.toThrow(/payment_operation_exclusive/);
  });
});
