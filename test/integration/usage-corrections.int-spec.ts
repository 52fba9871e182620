import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { VersionIsStale } from '#libs/event-store';
import { GatewayAudit } from '../../src/platform/gateway/audit/gateway-audit.js';
import {
  AttemptIsNotSettled,
  AttemptNotFound,
  type Correction,
  Corrections,
  currentOf,
  versionOf,
} from '../../src/platform/gateway/ai/usage/corrections/corrections.js';
import { DOUBTED_ATTEMPTS } from '../../src/platform/gateway/ai/usage/corrections/corrections.sql.js';
import { NO_USAGE } from '../../src/platform/gateway/ai/usage/spend/quantities.js';
import { UsageReport } from '../../src/platform/gateway/ai/usage/report/usage-report.js';
import { UsageRollups } from '../../src/platform/gateway/ai/usage/rollups/usage-rollups.js';
import { rowsRead } from '../support/rows-read.js';
import { RowLock } from '../support/row-lock.js';
import { anAttempt, anOutcome, DOLLAR, limitOfOrganization, spendWorld } from '../support/spend-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const LONGEST_WAIT_MS = 90_000;
const admin = { id: randomUUID(), type: 'user' } as Caller;
const CLAIMED = { ...NO_USAGE, inputTokens: 999_999_999 };

describe('corrections of usage', () => {
  let test: TestDatabase;
  let world: ReturnType<typeof spendWorld>;
  let corrections: Corrections;
  let rollups: UsageRollups;
  let report: UsageReport;
  let organizationId: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    test = await createTestDatabase();
    world = spendWorld(test);
    corrections = new Corrections(test.database, new GatewayAudit());
    rollups = new UsageRollups(test.database);
    report = new UsageReport(test.database);
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    organizationId = randomUUID();
    await test.database.query(
      'TRUNCATE gateway.usage, gateway.usage_correction, gateway.usage_sum, gateway.spend_limit, gateway.spend_counter',
    );
    await test.database.query(`UPDATE gateway.usage_sum_state SET rows_from = '0001-01-01'`);
  });

  const aLimit = (more = {}) => world.limits.create(limitOfOrganization(organizationId, more), 'a test');
  const reserve = (estimate: bigint | null = 4n * DOLLAR) =>
    world.ledger.reserve(anAttempt({ organizationId, estimate }));
  /** Its provider claimed more than can be. */
  const doubted = async (cost: bigint | null = 3n * DOLLAR) => {
    const id = await reserve();
    const claim = { usage: CLAIMED, billed: 7n * DOLLAR };
    await world.ledger.settle(id, anOutcome({ state: 'estimated', cost, doubt: 'implausible', claim }));
    return id;
  };
  const correct = (id: string, values: Omit<Correction, 'reason'>, ifVersion?: number) =>
    corrections.correct(id, { reason: 'The invoice says so.', ...values }, admin, ifVersion);
  const totals = async () => {
    const query = { groupBy: [], from: '2020-01-01', to: '2099-12-31', filters: { organizationIds: null } };
    return (await report.page(query, await report.moment(), null, 10)).totals;
  };
  const sums = () =>
    test.database.query('SELECT * FROM gateway.usage_sum ORDER BY level, period, starts_on, model');
  /** Transactions of other test files hold rollups back for a moment. */
  const counted = () =>
    waitUntil(async () => {
      while (await rollups.advance());
      const [row] = await test.database.query<{ isDone: boolean }>(
        `SELECT coalesce((SELECT max(corrected_transaction) FROM gateway.usage_correction) < counted_before, true) AS "isDone"
         FROM gateway.usage_sum_state`,
      );
      return row?.isDone ?? false;
    }, LONGEST_WAIT_MS);

  it('give room back to limits of the day and month, and keep what the provider said', async () => {
    const limits = [await aLimit({ hard: 8n * DOLLAR }), await aLimit({ period: 'month' })];
    const id = await doubted();
    for (const limit of limits)
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 3n * DOLLAR });
    const usage = { ...NO_USAGE, inputTokens: 1_200 };
    const corrected = await correct(id, { cost: DOLLAR / 2n, usage });
    for (const limit of limits)
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: DOLLAR / 2n });
    expect(currentOf(corrected)).toEqual({ state: 'done', cost: (DOLLAR / 2n).toString(), usage });
    expect(corrected).toMatchObject({
      doubt: null,
      claim: { usage: CLAIMED, billed: (7n * DOLLAR).toString() },
      settled: { state: 'estimated', cost: (3n * DOLLAR).toString(), usage: null },
      corrections: [
        { number: 1, doubt: 'implausible', correctedBy: admin.id, reason: 'The invoice says so.' },
      ],
    });
    await correct(id, { cost: 0n });
    for (const limit of limits) expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 0n });
    expect((await corrections.find(id)).corrections[0]?.version).toEqual({ state: 'done', cost: '0', usage });
  });

  it('count in a limit that is set afterwards, and in the window of the reservation alone', async () => {
    const yesterday = await doubted();
    await world.age(yesterday, 86_400_000);
    await correct(await doubted(), { cost: DOLLAR });
    await correct(yesterday, { cost: 2n * DOLLAR });
    expect(await world.level(await aLimit())).toEqual({ reserved: 0n, spent: DOLLAR });
    await counted();
    expect(await world.level(await aLimit({ setBy: 'platform' }))).toEqual({ reserved: 0n, spent: DOLLAR });
  });

  it('count instead of the estimate where no cost was known', async () => {
    const limit = await aLimit();
    const id = await doubted(null);
    expect(await totals()).toMatchObject({ cost: 0n, uncertainCost: 4n * DOLLAR, unpriced: 1 });
    await correct(id, { usage: { ...NO_USAGE, outputTokens: 9 } });
    expect(await totals()).toMatchObject({
      cost: 0n,
      uncertainCost: 4n * DOLLAR,
      estimated: 1,
      outputTokens: 9,
    });
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 4n * DOLLAR });
    await correct(id, { cost: DOLLAR });
    expect(await totals()).toMatchObject({
      cost: DOLLAR,
      uncertainCost: 0n,
      estimated: 0,
      unpriced: 0,
      outputTokens: 9,
    });
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: DOLLAR });
  });

  it('are in the sums once, whenever these are counted, and after a rebuild', async () => {
    const id = await doubted();
    await correct(id, { cost: 2n * DOLLAR });
    await counted();
    await correct(id, { cost: DOLLAR, usage: { ...NO_USAGE, audioSeconds: 1.5, images: 2 } });
    const expected = { cost: DOLLAR, attempts: 1, calls: 1, audioSeconds: 1.5, images: 2, inputTokens: 0 };
    expect(await totals()).toMatchObject(expected);
    await counted();
    expect(await totals()).toMatchObject(expected);
    const live = await sums();
    await rollups.rebuild();
    await counted();
    expect(await sums()).toEqual(live);
  });

  it('outlast the rows of old months, with their sums', async () => {
    const id = await doubted();
    await correct(id, { cost: DOLLAR });
    await counted();
    const old = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
    for (const [table, column] of [
      ['usage', 'id'],
      ['usage_correction', 'usage_id'],
    ])
      await test.database.query(
        `UPDATE gateway.${table} SET ${column} = $1, reserved_at = reserved_at - interval '500 days'`,
        [old],
      );
    await rollups.rebuild();
    await counted();
    const live = await sums();
    const rows = () =>
      test.database.query(
        'SELECT usage_id FROM gateway.usage_correction UNION ALL SELECT id FROM gateway.usage',
      );
    await rollups.deleteOld(400, 10);
    await rollups.deleteOld(400, 10);
    expect(await rows()).toEqual([]);
    await rollups.rebuild();
    expect(await sums()).toEqual(live);
    expect(await totals()).toMatchObject({ cost: DOLLAR });
  });

  it('of two administrators at once are one after the other, or one where both name what they read', async () => {
    const limit = await aLimit();
    const id = await doubted();
    const race = async (ifVersion?: number) => {
      const lock = await RowLock.by(test, 'SELECT FROM gateway.usage WHERE id = $1 FOR UPDATE', [id]);
      return lock.meanwhile(
        [1n, 2n].map((cost) => correct(id, { cost }, ifVersion).then(versionOf, (error: unknown) => error)),
      );
    };
    const named = await race(1);
    expect(named.filter((one) => one instanceof VersionIsStale)).toHaveLength(1);
    expect(named).toContain(2);
    expect((await race()).toSorted()).toEqual([3, 4]);
    const { cost } = currentOf(await corrections.find(id));
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: BigInt(cost ?? 0) });
  });

  it('close a swept attempt to its call, and see what the call settled before', async () => {
    const limit = await aLimit();
    const [late, later] = [await reserve(), await reserve()];
    await world.sweep(0);
    await world.ledger.settle(late, anOutcome({ cost: DOLLAR }));
    await expect(correct(late, { cost: 0n }, 1)).rejects.toBeInstanceOf(VersionIsStale);
    await correct(late, { cost: 2n * DOLLAR }, 2);
    const lock = await RowLock.by(test, 'SELECT FROM gateway.usage WHERE id = $1 FOR UPDATE', [later]);
    const correction = correct(later, { cost: 3n * DOLLAR });
    await lock.waitedFor();
    await lock.meanwhile([correction.then(() => null), world.ledger.settle(later, anOutcome({ cost: 1n }))]);
    expect(currentOf(await corrections.find(later)).cost).toBe((3n * DOLLAR).toString());
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 5n * DOLLAR });
    expect(await totals()).toMatchObject({ cost: 5n * DOLLAR, uncertainCost: 0n });
  });

  it('are refused while the attempt runs, of one that was not sent, and of one that does not exist', async () => {
    const [running, notSent] = [await reserve(), await reserve()];
    await world.ledger.release(notSent, null);
    await expect(correct(running, { cost: 0n })).rejects.toBeInstanceOf(AttemptIsNotSettled);
    await expect(correct(notSent, { cost: 0n })).rejects.toBeInstanceOf(AttemptIsNotSettled);
    await expect(correct(randomUUID(), { cost: 0n })).rejects.toBeInstanceOf(AttemptNotFound);
  });

  it('empty the list of doubted attempts, which an index serves', async () => {
    const ids = [await doubted(), await doubted(), await doubted()].toReversed();
    await world.ledger.settle(await reserve(), anOutcome());
    const listed = async (after: string | null, count: number) =>
      (await corrections.doubted(after, count)).map(({ id }) => id);
    expect(await listed(null, 2)).toEqual(ids.slice(0, 2));
    expect(await listed(ids[1] ?? null, 2)).toEqual(ids.slice(2));
    await correct(ids[0] ?? '', { cost: DOLLAR });
    expect(await listed(null, 9)).toEqual(ids.slice(1));
    // Enough rows that their order is read from an index.
    await test.database.query(
      `INSERT INTO gateway.usage SELECT (jsonb_populate_record(u, jsonb_build_object('id', gen_random_uuid(), 'doubt', d))).*
       FROM gateway.usage u, unnest(ARRAY[NULL, 'uncosted']) d, generate_series(1, 500) WHERE u.doubt IS NULL`,
    );
    await test.database.query('ANALYZE gateway.usage');
    const read = await rowsRead(test.database, DOUBTED_ATTEMPTS, [null, 5], 'usage');
    expect(read).toMatchObject({ rows: 5, indexes: expect.arrayContaining(['usage_doubted']) });
  });
});
