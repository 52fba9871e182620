import { randomUUID } from 'node:crypto';
import { DatabaseIsUnavailable } from '#libs/database';
import {
  ModelHasNoPrice,
  SpendEstimateIsTooLarge,
  SpendLimitIsReached,
} from '../../src/platform/gateway/ai/usage/spend/spend.errors.js';
import { RESERVATIONS } from '../../src/platform/gateway/ai/usage/ledger/stored-spend-ledger.js';
import { UsageRollups } from '../../src/platform/gateway/ai/usage/rollups/usage-rollups.js';
import { FailingDatabase } from '../support/faulty-databases.js';
import { RowLock } from '../support/row-lock.js';
import {
  aLedger,
  anAttempt,
  anOutcome,
  DOLLAR,
  limitOfOrganization,
  limitOfPlatform,
  spendWorld,
} from '../support/spend-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

describe('the ledger of spend', () => {
  let test: TestDatabase;
  let world: ReturnType<typeof spendWorld>;
  let organizationId: string;

  beforeAll(async () => {
    test = await createTestDatabase();
    world = spendWorld(test);
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    organizationId = randomUUID();
    await test.database.query(
      'TRUNCATE gateway.usage, gateway.usage_sum, gateway.spend_limit, gateway.spend_counter',
    );
  });

  const reserve = (estimate: bigint | null, more = {}) =>
    world.ledger.reserve(anAttempt({ organizationId, estimate, ...more }));
  const aLimit = (more = {}) => world.limits.create(limitOfOrganization(organizationId, more), 'a test');
  /** Statements that wait for a row, or for the table of counters. */
  const waitingFor = async (what: 'row' | 'table') => {
    const [row] = await test.database.query<{ rows: number; tables: number }>(
      `SELECT count(*) FILTER (WHERE locktype <> 'relation')::int AS rows,
         count(*) FILTER (WHERE locktype = 'relation')::int AS tables
       FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`,
    );
    return what === 'row' ? row?.rows : row?.tables;
  };
  const statesOf = async () => (await world.rows(organizationId)).map(({ state }) => state);

  it('counts reservations, and then what attempts cost', async () => {
    const limit = await aLimit();
    const id = await reserve(3n * DOLLAR);
    expect(await world.level(limit)).toEqual({ reserved: 3n * DOLLAR, spent: 0n });
    await world.ledger.settle(id, anOutcome({ cost: DOLLAR }));
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: DOLLAR });
    expect(await statesOf()).toEqual(['done']);
  });

  it('grants a budget that two calls meet exactly, and not a billionth of a dollar more', async () => {
    await aLimit();
    await Promise.all([reserve(5n * DOLLAR), reserve(5n * DOLLAR)]);
    await expect(reserve(1n)).rejects.toThrow(SpendLimitIsReached);
    expect(await statesOf()).toEqual(['reserved', 'reserved']);
  });

  it('grants in order of arrival what fits in one statement, also after a call that does not', async () => {
    await aLimit();
    const lock = await RowLock.by(test, 'SELECT FROM gateway.spend_counter FOR UPDATE', []);
    const allThatRun = Array.from({ length: RESERVATIONS.concurrency }, () => reserve(0n));
    const amounts = [4n, 5n, 3n, 1n, 1n].map((dollars) => dollars * DOLLAR);
    const waiting = Promise.allSettled(amounts.map((amount) => reserve(amount)));
    await lock.meanwhile(allThatRun);
    const asked = await waiting;
    expect(asked.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, false]);
  });

  it('is never exceeded, however many replicas reserve at once', async () => {
    const day = await aLimit({ hard: 7n * DOLLAR });
    const month = await aLimit({ period: 'month', hard: 40n * DOLLAR });
    const platform = await world.limits.create(limitOfPlatform(), 'a test');
    const replicas = [world.ledger, aLedger(test)] as const;
    const asked = await Promise.allSettled(
      Array.from({ length: 64 }, (_, index) =>
        replicas[index % 2 === 0 ? 0 : 1].reserve(anAttempt({ organizationId })),
      ),
    );
    const refusals = asked.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(refusals).toHaveLength(57);
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(SpendLimitIsReached);
    const level = { reserved: 7n * DOLLAR, spent: 0n };
    expect([await world.level(day), await world.level(month), await world.level(platform)]).toEqual([
      level,
      level,
      level,
    ]);
  });

  it('judges by what another replica took meanwhile, not by what it saw when it began', async () => {
    const limit = await aLimit({ hard: 2n * DOLLAR });
    await reserve(1n);
    const lock = await RowLock.by(test, 'SELECT FROM gateway.spend_counter FOR UPDATE', []);
    const asked = [world.ledger, aLedger(test), aLedger(test)].map((replica) =>
      replica.reserve(anAttempt({ organizationId, estimate: DOLLAR })).then(
        () => 'granted',
        ({ code }: SpendLimitIsReached) => code,
      ),
    );
    const verdicts = await lock.meanwhile(asked);
    expect(verdicts.toSorted()).toEqual(['granted', 'spend_limit_reached', 'spend_limit_reached']);
    expect(await world.level(limit)).toEqual({ reserved: DOLLAR + 1n, spent: 0n });
  });

  it.each(['reserving', 'settling'])(
    'locks counters in the order of their keys when %s',
    async (statement) => {
      const applicationId = randomUUID();
      const scopes = [
        { scopeType: 'platform', scopeValue: 'platform', organizationId: null, setBy: 'platform' },
        { scopeType: 'organization', scopeValue: organizationId, organizationId, setBy: 'platform' },
        { scopeType: 'organization', scopeValue: organizationId, organizationId, setBy: 'organization' },
        { scopeType: 'application', scopeValue: applicationId, organizationId, setBy: 'organization' },
        { scopeType: 'application', scopeValue: applicationId, organizationId: null, setBy: 'platform' },
      ] as const;
      for (const scope of scopes)
        for (const period of ['month', 'day'] as const)
          await world.limits.create({ ...scope, period, hard: 100n * DOLLAR, soft: null }, 'a test');
      const keys = await test.database.query<{ scope: string; period: string }>(
        'SELECT scope, period FROM gateway.spend_counter ORDER BY scope, period',
      );
      expect(keys).toHaveLength(10);
      // Two statements that take locks in different orders can each wait for the other.
      for (const [index, { scope, period }] of keys.entries()) {
        const id = await reserve(DOLLAR, { applicationId });
        const lock = await RowLock.by(
          test,
          'SELECT FROM gateway.spend_counter WHERE scope = $1 AND period = $2 FOR UPDATE',
          [scope, period],
        );
        const waiting: Promise<unknown> =
          statement === 'reserving'
            ? reserve(DOLLAR, { applicationId })
            : world.ledger.settle(id, anOutcome());
        await lock.waitedFor();
        const free = await test.database.query(
          'SELECT scope, period FROM gateway.spend_counter ORDER BY scope, period FOR UPDATE SKIP LOCKED',
        );
        await lock.meanwhile([waiting]);
        expect(free).toEqual(keys.slice(index + 1));
      }
    },
  );

  it('GW-18: counts an attempt in the scopes platform, organization and application together, or in none', async () => {
    const applicationId = randomUUID();
    const scopes = [
      { scopeType: 'platform', scopeValue: 'platform', organizationId: null, setBy: 'platform' },
      { scopeType: 'organization', scopeValue: organizationId, organizationId, setBy: 'platform' },
      { scopeType: 'organization', scopeValue: organizationId, organizationId, setBy: 'organization' },
      { scopeType: 'application', scopeValue: applicationId, organizationId: null, setBy: 'platform' },
      { scopeType: 'application', scopeValue: applicationId, organizationId, setBy: 'organization' },
    ] as const;
    const limits: string[] = [];
    for (const [index, scope] of scopes.entries())
      limits.push(
        await world.limits.create(
          { ...scope, period: 'month', hard: BigInt(120 - 20 * index) * DOLLAR, soft: null },
          'a test',
        ),
      );
    const before = await Promise.all(limits.map(world.level));
    await reserve(20n * DOLLAR, { applicationId });
    await reserve(10n * DOLLAR, { applicationId });
    const refused = reserve(15n * DOLLAR, { applicationId });
    await expect(refused).rejects.toMatchObject({
      code: 'spend_limit_reached',
      members: { scope: 'application', setBy: 'organization', window: 'month' },
    });
    const after = await Promise.all(limits.map(world.level));
    expect(after.map((level, index) => (level?.reserved ?? 0n) - (before[index]?.reserved ?? 0n))).toEqual(
      limits.map(() => 30n * DOLLAR),
    );
    await world.ledger.reserve(anAttempt({ organizationId, estimate: 40n * DOLLAR }));
    expect((await world.level(limits[3] ?? ''))?.reserved).toBe(30n * DOLLAR);
  });

  it('refuses a call that would take more than half of a limit, and says what to do', async () => {
    const limit = await aLimit();
    await expect(reserve(5n * DOLLAR + 1n)).rejects.toThrow(SpendEstimateIsTooLarge);
    await expect(reserve(5n * DOLLAR + 1n)).rejects.toThrow(/fewer tokens/);
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 0n });
  });

  it('refuses a model without a price only where a hard limit guards', async () => {
    await reserve(null);
    await aLimit({ hard: null, soft: DOLLAR });
    await reserve(null);
    await aLimit({ period: 'month' });
    await expect(reserve(null)).rejects.toThrow(ModelHasNoPrice);
    expect(await world.rows(organizationId)).toMatchObject([{ estimate: null }, { estimate: null }]);
  });

  it('settles once, also when both settle', async () => {
    const limit = await aLimit();
    const id = await reserve(3n * DOLLAR);
    await Promise.all([
      world.ledger.settle(id, anOutcome({ cost: DOLLAR })),
      aLedger(test).settle(id, anOutcome({ cost: 2n * DOLLAR })),
    ]);
    await world.ledger.release(id, null);
    const [row] = await world.rows(organizationId);
    expect(row?.state).toBe('done');
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: BigInt(row?.cost ?? 0) });
  });

  it('settles once what is settled twice in one statement', async () => {
    const limit = await aLimit();
    const [id, other] = await Promise.all([reserve(3n * DOLLAR), reserve(2n * DOLLAR)]);
    await Promise.all([
      world.ledger.settle(id, anOutcome({ cost: DOLLAR })),
      world.ledger.settle(id, anOutcome({ cost: DOLLAR })),
    ]);
    expect(await world.level(limit)).toEqual({ reserved: 2n * DOLLAR, spent: DOLLAR });
    await world.ledger.release(other, null);
  });

  it('gives back what was not sent, and keeps the estimate of an unknown outcome', async () => {
    const limit = await aLimit();
    const [lost, notSent] = [await reserve(3n * DOLLAR), await reserve(2n * DOLLAR)];
    await world.ledger.release(notSent, 'not-sent');
    await world.ledger.settle(lost, anOutcome({ state: 'unknown', cost: null, failure: 'no-answer' }));
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 3n * DOLLAR });
    await world.ledger.settle(lost, anOutcome({ cost: 1n }));
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 3n * DOLLAR });
    expect((await statesOf()).sort()).toEqual(['released', 'unknown']);
  });

  it.each([
    ['a response of a model without a price', { state: 'done', cost: null }, 3n * DOLLAR],
    ['a failure that was not billed', { state: 'failed', cost: 0n, failure: 'overload' }, 0n],
    ['a failure that was billed', { state: 'failed', cost: DOLLAR, failure: 'policy' }, DOLLAR],
    ['a billed failure without a price', { state: 'unknown', cost: null, failure: 'policy' }, 3n * DOLLAR],
    ['a cut stream', { state: 'estimated', cost: DOLLAR }, DOLLAR],
  ] as const)('counts %s', async (_, outcome, spent) => {
    const limit = await aLimit();
    await world.ledger.settle(await reserve(3n * DOLLAR), anOutcome(outcome));
    expect(await world.level(limit)).toEqual({ reserved: 0n, spent });
  });

  describe('after its process ended', () => {
    it('a reservation is settled as unknown once, by one replica, and keeps its estimate', async () => {
      const limit = await aLimit();
      await reserve(3n * DOLLAR);
      await world.sweep();
      expect(await statesOf()).toEqual(['reserved']);
      const [one, other] = await Promise.all([world.sweep(0), world.sweep(0)]);
      expect(one + other).toBe(1);
      expect(await statesOf()).toEqual(['unknown']);
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 3n * DOLLAR });
    });

    it('a call that still ran corrects it, once', async () => {
      const limit = await aLimit();
      const [late, notSent] = [await reserve(3n * DOLLAR), await reserve(2n * DOLLAR)];
      await world.sweep(0);
      await world.ledger.settle(late, anOutcome({ cost: DOLLAR }));
      await world.ledger.release(notSent, null);
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: DOLLAR });
      await world.ledger.settle(late, anOutcome({ cost: 2n * DOLLAR }));
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: DOLLAR });
    });
  });

  describe('over midnight', () => {
    /** As if the window of the limit and of its attempts had ended. */
    const endWindow = async (days: number) => {
      await test.database.query('UPDATE gateway.spend_counter SET starts_on = starts_on - $1::int', [days]);
      await test.database.query(
        `UPDATE gateway.usage SET reserved_at = reserved_at - $1::int * interval '1 day' WHERE organization_id = $2`,
        [days, organizationId],
      );
    };

    it('a budget begins again, and a running call is settled in the window of its reservation', async () => {
      const limit = await aLimit();
      const id = await reserve(5n * DOLLAR);
      await endWindow(1);
      await reserve(4n * DOLLAR);
      await world.ledger.settle(id, anOutcome({ cost: 2n * DOLLAR }));
      expect(await world.level(limit)).toEqual({ reserved: 4n * DOLLAR, spent: 0n });
      const counters = await test.database.query(
        `SELECT spent, reserved FROM gateway.spend_counter WHERE scope = $1 ORDER BY starts_on`,
        [`organization:${organizationId}`],
      );
      expect(counters).toEqual([
        { spent: String(2n * DOLLAR), reserved: '0' },
        { spent: '0', reserved: String(4n * DOLLAR) },
      ]);
    });

    it('sixty-four calls in the first moment of a window add its counter once', async () => {
      const limit = await aLimit();
      await endWindow(1);
      const replicas = [world.ledger, aLedger(test)] as const;
      const asked = await Promise.allSettled(
        Array.from({ length: 64 }, (_, index) =>
          replicas[index % 2 === 0 ? 0 : 1].reserve(anAttempt({ organizationId })),
        ),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      expect(await world.level(limit)).toEqual({ reserved: 10n * DOLLAR, spent: 0n });
    });
  });

  it('adds the counters of all limits of a call when their windows begin together', async () => {
    const applicationId = randomUUID();
    const application = { scopeType: 'application', scopeValue: applicationId } as const;
    for (const period of ['day', 'month'] as const)
      for (const limit of [
        limitOfPlatform(),
        limitOfPlatform(application),
        limitOfOrganization(organizationId),
        limitOfOrganization(organizationId, { setBy: 'platform' }),
        limitOfOrganization(organizationId, application),
      ])
        await world.limits.create({ ...limit, period }, 'a test');
    await test.database.query('DELETE FROM gateway.spend_counter');
    await reserve(DOLLAR, { applicationId });
    const counters = await test.database.query('SELECT reserved FROM gateway.spend_counter');
    expect(counters).toEqual(Array.from({ length: 10 }, () => ({ reserved: String(DOLLAR) })));
  });

  describe('of a limit that is created later', () => {
    it.each([
      ['before', false],
      ['after', true],
    ])('starts from what the window holds, %s its rollup', async (_, isRolledUp) => {
      const settled = await reserve(3n * DOLLAR);
      await world.ledger.settle(settled, anOutcome({ cost: DOLLAR }));
      if (isRolledUp) while (await new UsageRollups(test.database).advance());
      const running = await reserve(2n * DOLLAR);
      const limit = await aLimit();
      expect(await world.level(limit)).toEqual({ reserved: 2n * DOLLAR, spent: DOLLAR });
      await world.ledger.settle(running, anOutcome({ cost: DOLLAR }));
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 2n * DOLLAR });
    });

    it('counts calls whose statements began before, and guards those that began while it was set', async () => {
      const slow = randomUUID();
      await world.limits.create(limitOfPlatform({ scopeType: 'application', scopeValue: slow }), 'a test');
      const running = await reserve(2n * DOLLAR, { applicationId: slow });
      const lock = await RowLock.by(test, 'SELECT FROM gateway.spend_counter FOR UPDATE', []);
      const earlier = [
        reserve(DOLLAR, { applicationId: slow }),
        world.ledger.settle(running, anOutcome({ cost: DOLLAR })),
      ];
      await waitUntil(async () => (await waitingFor('row')) === 2);
      const creating = aLimit({ hard: 3n * DOLLAR });
      await waitUntil(async () => (await waitingFor('table')) === 1);
      const later = reserve(DOLLAR);
      await waitUntil(async () => (await waitingFor('table')) === 2);
      await lock.meanwhile<unknown>([...earlier, creating, later]);
      expect(await world.level(await creating)).toEqual({ reserved: 2n * DOLLAR, spent: DOLLAR });
      await expect(reserve(1n)).rejects.toThrow(SpendLimitIsReached);
    });

    it('is refused when statements that began before do not end, and calls go on', async () => {
      const lock = await RowLock.by(test, 'LOCK TABLE gateway.spend_counter IN ROW EXCLUSIVE MODE', []);
      const [creating] = await Promise.allSettled([aLimit()]);
      await lock.meanwhile([reserve(DOLLAR)]);
      expect(creating).toMatchObject({ reason: { code: '55P03' } });
    });

    it('leaves to others what they reserved with a call that fails when its counter is added', async () => {
      await aLimit({ hard: 3n * DOLLAR });
      // As if its window had just begun.
      await test.database.query('DELETE FROM gateway.spend_counter');
      // Two run at once; the next two share a statement, after which only the second of them is reserved again.
      const database = new FailingDatabase(
        test.database,
        'gateway_reserve_spend',
        RESERVATIONS.concurrency + 1,
      );
      const ledger = aLedger({ database });
      const others = Array.from({ length: RESERVATIONS.concurrency + 1 }, () => ledger.reserve(anAttempt()));
      const ours = ledger.reserve(anAttempt({ organizationId, estimate: DOLLAR }));
      await expect(ours).rejects.toThrow(DatabaseIsUnavailable);
      expect(new Set(await Promise.all(others)).size).toBe(RESERVATIONS.concurrency + 1);
      const rows = await test.database.query('SELECT FROM gateway.usage WHERE organization_id = $1', [
        organizationId,
      ]);
      expect(rows).toEqual([]);
    });

    it('counts exactly, however many calls run while it is created', async () => {
      const applicationId = randomUUID();
      const attribution = { organizationId, applicationId };
      const replicas = [world.ledger, aLedger(test)];
      let isOver = false;
      const calls = replicas.flatMap((ledger) =>
        Array.from({ length: 8 }, async (_, caller) => {
          for (let call = 0; !isOver; call += 1) {
            const id = await ledger.reserve(anAttempt({ ...attribution, estimate: BigInt(1 + call) }));
            if (call % 5 !== caller % 5) await ledger.settle(id, anOutcome({ cost: BigInt(call % 7) }));
          }
        }),
      );
      const scopes = [
        limitOfPlatform(),
        limitOfOrganization(organizationId, { setBy: 'platform' }),
        limitOfOrganization(organizationId),
        limitOfOrganization(organizationId, { scopeType: 'application', scopeValue: applicationId }),
      ];
      const creating = scopes.flatMap((scope) =>
        (['day', 'month'] as const).map((period) => ({ ...scope, period, hard: 1_000n * DOLLAR })),
      );
      const limits: string[] = [];
      try {
        for (const limit of creating) limits.push(await world.limits.create(limit, 'a test'));
      } finally {
        isOver = true;
      }
      await Promise.all(calls);
      const [rows] = await test.database.query<{ reserved: string; spent: string }>(
        `SELECT sum(estimate) FILTER (WHERE state = 'reserved') AS reserved, sum(cost) AS spent FROM gateway.usage`,
      );
      const held = { reserved: BigInt(rows?.reserved ?? 0), spent: BigInt(rows?.spent ?? 0) };
      expect(await Promise.all(limits.map(world.level))).toEqual(limits.map(() => held));
    });
  });
});
