import { randomUUID } from 'node:crypto';
import {
  SpendLimitExists,
  TooManySpendLimits,
} from '../../src/platform/gateway/ai/usage/limits/limits.errors.js';
import { countOf } from '../../src/platform/gateway/ai/usage/ledger/spend-counters.js';
import { MEASURES } from '../../src/platform/gateway/ai/usage/rollups/measures.sql.js';
import { SpendLimitIsReached } from '../../src/platform/gateway/ai/usage/spend/spend.errors.js';
import { rowsRead } from '../support/rows-read.js';
import { anAttempt, anOutcome, DOLLAR, limitOfOrganization, spendWorld } from '../support/spend-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const MOST = 100;
const OTHERS = 2_000;

describe('a new limit of spend', () => {
  let test: TestDatabase;
  let world: ReturnType<typeof spendWorld>;
  let organizationId: string;

  beforeAll(async () => {
    test = await createTestDatabase();
    world = spendWorld(test);
  });
  afterAll(() => test.drop());
  beforeEach(() => {
    organizationId = randomUUID();
  });

  it('counts what its window holds, also where a counter without a limit is left', async () => {
    await world.ledger.settle(
      await world.ledger.reserve(anAttempt({ organizationId, estimate: 3n * DOLLAR })),
      anOutcome({ cost: 3n * DOLLAR }),
    );
    // A call adds a counter in the moment when the former limit is deleted.
    await test.database.query(
      `INSERT INTO gateway.spend_counter (scope, period, starts_on, reserved, spent, alarmed_at)
       VALUES ($1, 'day', (now() AT TIME ZONE 'UTC')::date, 7, 7, now())`,
      [`organization:${organizationId}`],
    );
    const limit = await world.limits.create(limitOfOrganization(organizationId), 'a test');
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 3n * DOLLAR });
    expect((await world.limits.find(limit))?.alarmedAt).toBeNull();
    await world.ledger.reserve(anAttempt({ organizationId, estimate: 5n * DOLLAR }));
    await expect(world.ledger.reserve(anAttempt({ organizationId, estimate: 3n * DOLLAR }))).rejects.toThrow(
      SpendLimitIsReached,
    );
  });

  it('is the only one of its scope and period', async () => {
    const create = () => world.limits.create(limitOfOrganization(organizationId), 'a test');
    const asked = await Promise.allSettled([create(), create()]);
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(create()).rejects.toThrow(SpendLimitExists);
  });

  it('is one of at most a hundred of an organization, also when two are set at once', async () => {
    await test.database.query(
      `INSERT INTO gateway.spend_limit (id, scope_type, scope_value, organization_id, period, hard, created_by)
       SELECT gen_random_uuid(), 'application', gen_random_uuid(), $1, 'day', 1, 'a test'
       FROM generate_series(1, $2::int - 1)`,
      [organizationId, MOST],
    );
    const limits = (['day', 'month'] as const).map((period) =>
      limitOfOrganization(organizationId, { period }),
    );
    const asked = await Promise.allSettled(limits.map((limit) => world.limits.create(limit, 'a test')));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toEqual([expect.any(TooManySpendLimits)]);
    await world.limits.create(limitOfOrganization(randomUUID()), 'a test');
  });

  it.each(['organization', 'application'] as const)(
    'of an %s reads no usage of other organizations',
    async (scopeType) => {
      await test.database.query(
        `INSERT INTO gateway.usage_sum (level, period, starts_on, organization_id, application_id, application, capability,
           provider, model, credential_id, ${MEASURES.join(', ')})
         SELECT 'organization', 'day', (now() AT TIME ZONE 'UTC')::date, gen_random_uuid(), gen_random_uuid(), 'mail',
           'completions', 'openai', 'gpt-5', gen_random_uuid(), ${MEASURES.map(() => '1').join(', ')}
         FROM generate_series(1, $1::int)`,
        [OTHERS],
      );
      await test.database.query('ANALYZE gateway.usage_sum');
      const scopeValue = scopeType === 'application' ? randomUUID() : organizationId;
      const limit = { scopeType, scopeValue, hard: 1n };
      await world.limits.create(limitOfOrganization(organizationId, limit), 'a test');
      const scope =
        scopeType === 'application'
          ? `application:${scopeValue}:${organizationId}`
          : `organization:${organizationId}`;
      const { text, values } = countOf(scope);
      const window = [scope, 'day', new Date().toISOString().slice(0, 10), '0'];
      await test.database.query('DELETE FROM gateway.spend_counter WHERE scope = $1', [scope]);
      const read = await rowsRead(
        test.database,
        { text },
        [...window, ...values],
        'usage_sum_organization_day',
      );
      expect(read.rows).toBeLessThan(OTHERS / 100);
    },
  );
});
