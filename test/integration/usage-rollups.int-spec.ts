import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Caller } from '#libs/auth';
import { GatewayAudit } from '../../src/platform/gateway/audit/gateway-audit.js';
import { Corrections } from '../../src/platform/gateway/ai/usage/corrections/corrections.js';
import { NO_USAGE } from '../../src/platform/gateway/ai/usage/spend/quantities.js';
import { UsageReport, type UsageSums } from '../../src/platform/gateway/ai/usage/report/usage-report.js';
import { type Grouping, GROUPINGS } from '../../src/platform/gateway/ai/usage/report/usage-query.js';
import { UsageRollups } from '../../src/platform/gateway/ai/usage/rollups/usage-rollups.js';
import { RowLock } from '../support/row-lock.js';
import { anAttempt, anOutcome, DOLLAR, spendWorld } from '../support/spend-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const KEYS =
  'ORDER BY level, period, starts_on, organization_id, application_id, user_id, capability, provider, model, credential_id';
const organizations = [randomUUID(), randomUUID()];
const users = [randomUUID(), null];
const applications = [randomUUID(), randomUUID()];
const admin = { id: randomUUID(), type: 'user' } as Caller;

/** A database that another file creates or drops holds a transaction id of the whole server meanwhile. */
const LONGEST_WAIT_MS = 90_000;

describe('rollups of usage', () => {
  let test: TestDatabase;
  let world: ReturnType<typeof spendWorld>;
  let rollups: UsageRollups;
  let report: UsageReport;
  let corrections: Corrections;

  beforeAll(async () => {
    test = await createTestDatabase();
    world = spendWorld(test);
    rollups = new UsageRollups(test.database);
    report = new UsageReport(test.database);
    corrections = new Corrections(test.database, new GatewayAudit());
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    await test.database.query('TRUNCATE gateway.usage, gateway.usage_correction, gateway.usage_sum');
    await test.database.query(`UPDATE gateway.usage_sum_state SET rows_from = '0001-01-01'`);
  });

  const stored = () => test.database.query(`SELECT * FROM gateway.usage_sum ${KEYS}`);
  /** Counts everything. Transactions of other test files hold rollups back for a moment. */
  const all = () =>
    waitUntil(async () => {
      while (await rollups.advance(3));
      const [row] = await test.database.query<{ isDone: boolean }>(
        `SELECT NOT EXISTS (SELECT FROM gateway.usage u, gateway.usage_sum_state s
           WHERE greatest(u.settled_transaction, u.corrected_transaction, (SELECT max(c.corrected_transaction)
             FROM gateway.usage_correction c WHERE c.usage_id = u.id)) >= s.counted_before) AS "isDone"`,
      );
      return row?.isDone ?? false;
    }, LONGEST_WAIT_MS);
  const totalsOf = async (groupBy: readonly Grouping[] = []) => {
    const query = { groupBy, from: '2020-01-01', to: '2099-12-31', filters: { organizationIds: null } };
    return report.page(query, await report.moment(), null, 1_000);
  };
  /** What the rows add up to, without rollups. */
  const truth = async () => {
    const [row] = await test.database.query<Record<string, string>>(
      `SELECT count(*) FILTER (WHERE attempt = 1) AS calls, count(*) FILTER (WHERE state <> 'released') AS attempts,
         count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'unknown') AS unknown,
         count(*) FILTER (WHERE state = 'released') AS released, coalesce(sum(cost), 0) AS cost,
         coalesce(sum(input_tokens), 0) AS tokens, coalesce(sum(audio_seconds), 0) AS seconds,
         coalesce(sum(estimate) FILTER (WHERE cost IS NULL AND state IN ('done', 'estimated', 'unknown')), 0) AS uncertain
       FROM (SELECT u.attempt, u.estimate, coalesce(c.state, u.state) AS state, CASE WHEN c.state IS NULL THEN u.cost ELSE c.cost END AS cost,
           CASE WHEN c.state IS NULL THEN u.input_tokens ELSE c.input_tokens END AS input_tokens,
           CASE WHEN c.state IS NULL THEN u.audio_seconds ELSE c.audio_seconds END AS audio_seconds
         FROM gateway.usage u LEFT JOIN LATERAL (
           SELECT * FROM gateway.usage_correction c WHERE c.usage_id = u.id AND sign = 1 ORDER BY number DESC LIMIT 1) c ON true) now
       WHERE state <> 'reserved'`,
    );
    return row as Record<string, string>;
  };
  const expectTruth = async () => {
    const row = await truth();
    // One of each level.
    for (const groupBy of [[], ['organization'], ['user'], ['user', 'model']] as const)
      expectTotals((await totalsOf(groupBy)).totals, row);
  };
  const expectTotals = (totals: UsageSums, row: Record<string, string>) => {
    expect(totals).toMatchObject({
      calls: Number(row.calls),
      attempts: Number(row.attempts),
      failed: Number(row.failed),
      unknown: Number(row.unknown),
      released: Number(row.released),
      cost: BigInt(row.cost ?? 0),
      uncertainCost: BigInt(row.uncertain ?? 0),
      inputTokens: Number(row.tokens),
    });
    expect(totals.audioSeconds).toBeCloseTo(Number(row.seconds), 6);
  };

  const usage = fc.record({
    organization: fc.nat(1),
    user: fc.nat(1),
    application: fc.nat(1),
    model: fc.constantFrom('gpt-5', 'gpt-image-2'),
    attempt: fc.integer({ min: 1, max: 3 }),
    daysAgo: fc.integer({ min: 0, max: 70 }),
    estimate: fc.option(fc.bigInt({ min: 0n, max: 5n * DOLLAR })),
    end: fc.constantFrom(
      'done',
      'failed',
      'unknown',
      'estimated',
      'released',
      'running',
      'killed',
      'late',
      'late release',
    ),
    cost: fc.option(fc.bigInt({ min: 0n, max: 5n * DOLLAR })),
    tokens: fc.nat(100_000),
    seconds: fc.integer({ min: 0, max: 10_000 }).map((milliseconds) => milliseconds / 1_000),
    counts: fc.boolean(),
    corrections: fc.array(fc.bigInt({ min: 0n, max: 5n * DOLLAR }), { maxLength: 2 }),
  });
  type Drawn = typeof usage extends fc.Arbitrary<infer T> ? T : never;
  type Usage = Omit<Drawn, 'corrections'> & Partial<Drawn>;

  async function happens(one: Usage): Promise<void> {
    const id = await world.ledger.reserve(
      anAttempt({
        organizationId: organizations[one.organization] ?? '',
        applicationId: applications[one.application] ?? '',
        userId: users[one.user] ?? null,
        model: one.model,
        attempt: one.attempt,
        estimate: one.estimate,
        credentialId: applications[0],
      }),
    );
    await world.age(id, one.daysAgo * 86_400_000);
    if (one.end === 'running') return;
    if (['killed', 'late', 'late release'].includes(one.end)) {
      await world.sweep(0);
      if (one.counts) await rollups.advance(2);
    }
    if (one.end.endsWith('release') || one.end === 'released') await world.ledger.release(id, null);
    else if (one.end !== 'killed')
      await world.ledger.settle(
        id,
        anOutcome({
          state: one.end === 'late' ? 'done' : (one.end as 'done'),
          cost: one.cost,
          usage: {
            inputTokens: one.tokens,
            cachedInputTokens: 1,
            cacheWriteTokens: 2,
            outputTokens: 3,
            inputImageTokens: 4,
            outputImageTokens: 5,
            inputAudioTokens: 6,
            audioSeconds: one.seconds,
            images: 7,
          },
        }),
      );
    if (one.counts) await rollups.advance(2);
    for (const cost of one.end.endsWith('release') || one.end === 'released' ? [] : (one.corrections ?? [])) {
      await corrections.correct(
        id,
        { reason: 'A test.', cost, usage: { ...NO_USAGE, inputTokens: 3 } },
        admin,
      );
      if (one.counts) await rollups.advance(2);
    }
  }

  it('are the same after any history, and after a rebuild; a report never misses a row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(usage, { maxLength: 25 }), async (history) => {
        await test.database.query('TRUNCATE gateway.usage, gateway.usage_correction, gateway.usage_sum');
        for (const one of history) await happens(one);
        await expectTruth();
        await all();
        const live = await stored();
        await expectTruth();
        await rollups.rebuild();
        await all();
        expect(await stored()).toEqual(live);
      }),
      { numRuns: 20 },
    );
  });

  it.each(GROUPINGS.map((grouping) => [grouping]))('add up to the same by %s', async (grouping) => {
    for (const [index, organization] of [0, 1, 0, 1].entries())
      await happens({
        ...{ organization, user: index % 2, application: index > 1 ? 1 : 0, model: 'gpt-5', attempt: 1 },
        ...{ daysAgo: index * 20, estimate: DOLLAR, end: 'done', cost: BigInt(index + 1), tokens: 5 },
        ...{ seconds: 0, counts: index < 2 },
      });
    const { groups, totals } = await totalsOf([grouping]);
    expect(groups.reduce((sum, { cost }) => sum + cost, 0n)).toBe(10n);
    expect(totals).toMatchObject({ cost: 10n, calls: 4, inputTokens: 20 });
    expect(groups.map(({ keys }) => keys)).toEqual(groups.map(({ keys }) => keys).toSorted());
  });

  it('count each row once, with two workers', async () => {
    for (let count = 0; count < 40; count += 1)
      await world.ledger.settle(await world.ledger.reserve(anAttempt()), anOutcome({ cost: 1n }));
    const other = new UsageRollups(test.database);
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? rollups : other).advance(3)));
    await all();
    const [row] = await test.database.query(
      `SELECT sum(cost)::int AS cost FROM gateway.usage_sum WHERE level = 'detail' AND period = 'day'`,
    );
    expect(row).toEqual({ cost: 40 });
  });

  it('count no row of a transaction before it has ended, and skip none of it', async () => {
    const id = await world.ledger.reserve(anAttempt());
    const lock = await RowLock.by(
      test,
      `UPDATE gateway.usage SET state = 'done', cost = 7, settled_at = now(), settled_transaction = pg_current_xact_id()
       WHERE id = $1`,
      [id],
    );
    await world.ledger.settle(await world.ledger.reserve(anAttempt()), anOutcome({ cost: 1n }));
    await rollups.advance();
    expect((await totalsOf()).totals.cost).toBe(1n);
    await lock.meanwhile([]);
    await all();
    expect((await totalsOf()).totals.cost).toBe(8n);
    await expectTruth();
  });

  it('are rebuilt after a restore into another cluster', async () => {
    await world.ledger.settle(await world.ledger.reserve(anAttempt()), anOutcome({ cost: 5n }));
    await all();
    await test.database.query(`UPDATE gateway.usage SET settled_transaction = '900000000000'`);
    await test.database.query(`UPDATE gateway.usage_sum_state SET counted_before = '900000000001'`);
    await rollups.advance();
    await world.ledger.settle(await world.ledger.reserve(anAttempt()), anOutcome({ cost: 6n }));
    await all();
    expect((await totalsOf()).totals.cost).toBe(11n);
  });

  it('outlast the rows of old months, also after a rebuild', async () => {
    const [old, current] = [await world.ledger.reserve(anAttempt()), await world.ledger.reserve(anAttempt())];
    await world.age(old, 500 * 86_400_000);
    await world.ledger.settle(old, anOutcome({ cost: 3n }));
    await world.ledger.settle(current, anOutcome({ cost: 4n }));
    expect(await rollups.deleteOld(400, 10)).toBe(0);
    await all();
    const live = await stored();
    await test.database.query(
      `UPDATE gateway.usage SET id = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f' WHERE id = $1`,
      [old],
    );
    expect(await rollups.deleteOld(400, 10)).toBe(1);
    expect(await test.database.query('SELECT id FROM gateway.usage')).toEqual([{ id: current }]);
    await rollups.rebuild();
    await all();
    expect(await stored()).toEqual(live);
    expect((await totalsOf()).totals.cost).toBe(7n);
  });
});
