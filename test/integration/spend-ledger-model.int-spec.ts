import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { Database, DatabaseIsUnavailable, type Statement } from '#libs/database';
import { SpendLimitIsReached } from '../../src/platform/gateway/ai/usage/spend/spend.errors.js';
import { LateDatabase, LosingDatabase } from '../support/faulty-databases.js';
import { aLedger, anAttempt, anOutcome, limitOfOrganization, spendWorld } from '../support/spend-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const HARD = 1_000n;

/** One attempt as the model sees it. */
interface Attempt {
  readonly id: string;
  readonly estimate: bigint;
  state: 'reserved' | 'swept' | 'ended';
  counted: bigint;
}

describe('the ledger of spend, against a model in memory', () => {
  let test: TestDatabase;
  let world: ReturnType<typeof spendWorld>;

  beforeAll(async () => {
    test = await createTestDatabase();
    world = spendWorld(test);
  });
  afterAll(() => test.drop());

  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('reserve' as const), estimate: fc.bigInt(1n, 600n) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('settle' as const, 'unknown' as const, 'release' as const),
        which: fc.nat(20),
        cost: fc.bigInt(0n, 700n),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  );

  it('agrees after every step of any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const organizationId = randomUUID();
        const limit = await world.limits.create(
          limitOfOrganization(organizationId, { hard: HARD }),
          'a test',
        );
        const attempts: Attempt[] = [];
        const used = () => attempts.reduce((sum, { counted }) => sum + counted, 0n);
        for (const one of steps) {
          if (one.kind === 'reserve') {
            const fits = one.estimate <= HARD / 2n && used() + one.estimate <= HARD;
            const id = await world.ledger
              .reserve(anAttempt({ organizationId, estimate: one.estimate }))
              .catch(() => null);
            expect(id !== null).toBe(fits);
            if (id) attempts.push({ id, estimate: one.estimate, state: 'reserved', counted: one.estimate });
            continue;
          }
          if (one.kind === 'sweep') {
            await world.sweep(0);
            for (const each of attempts) if (each.state === 'reserved') each.state = 'swept';
            continue;
          }
          const attempt = attempts[one.which % Math.max(attempts.length, 1)];
          if (!attempt) continue;
          if (one.kind === 'release') await world.ledger.release(attempt.id, null);
          else
            await world.ledger.settle(
              attempt.id,
              one.kind === 'settle'
                ? anOutcome({ cost: one.cost })
                : anOutcome({ state: 'unknown', cost: null }),
            );
          if (attempt.state === 'ended') continue;
          attempt.state = 'ended';
          if (one.kind !== 'unknown') attempt.counted = one.kind === 'settle' ? one.cost : 0n;
        }
        const reserved = attempts
          .filter(({ state }) => state === 'reserved')
          .reduce((sum, { counted }) => sum + counted, 0n);
        expect(await world.level(limit)).toEqual({ reserved, spent: used() - reserved });
      }),
      { numRuns: 40 },
    );
  });

  describe('when the answer of a statement is lost', () => {
    const losing = (part: string, losses = 1) =>
      aLedger({ database: new LosingDatabase(test.database, part, losses) });

    it('a reservation takes once, for each call of the batch', async () => {
      const organizationId = randomUUID();
      const limit = await world.limits.create(limitOfOrganization(organizationId, { hard: 10n }), 'a test');
      const ledger = losing('reserve');
      const asked = await Promise.allSettled(
        [4n, 4n, 4n].map((estimate) => ledger.reserve(anAttempt({ organizationId, estimate }))),
      );
      const statuses = asked.map(({ status }) => status).toSorted();
      expect(statuses).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(await world.level(limit)).toEqual({ reserved: 8n, spent: 0n });
      expect(await world.rows(organizationId)).toHaveLength(2);
    });

    /** As if the windows of a limit had just begun. */
    const beginWindow = (scope: string) =>
      test.database.query('DELETE FROM gateway.spend_counter WHERE scope = $1', [scope]);

    it('a reservation takes once when its counter had to be added before', async () => {
      const organizationId = randomUUID();
      const limit = await world.limits.create(limitOfOrganization(organizationId, { hard: 10n }), 'a test');
      const scope = `organization:${organizationId}`;
      await beginWindow(scope);
      class LosingSecond extends Database {
        private answers = 0;
        override within(milliseconds: number) {
          const executor = super.within(milliseconds);
          return {
            query: async <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
              const rows = await executor.query<Row>(sql, values);
              const isReservation = typeof sql !== 'string' && sql.name === 'gateway_reserve_spend';
              if (isReservation && (this.answers += 1) === 2)
                throw new DatabaseIsUnavailable(new Error('Connection terminated unexpectedly'));
              return rows;
            },
          };
        }
      }
      const database = new LosingSecond(test.database.dataSource);
      const ledger = aLedger({ database });
      await ledger.reserve(anAttempt({ organizationId, estimate: 4n }));
      expect(await world.level(limit)).toEqual({ reserved: 4n, spent: 0n });
    });

    it('a reservation takes once when its first statement ends after its counter was added', async () => {
      const organizationId = randomUUID();
      const limit = await world.limits.create(limitOfOrganization(organizationId, { hard: 10n }), 'a test');
      await beginWindow(`organization:${organizationId}`);
      const database = new LateDatabase(test.database, 'gateway_reserve_spend', 3);
      const ledger = aLedger({ database });
      await ledger.reserve(anAttempt({ organizationId, estimate: 4n }));
      expect(await world.level(limit)).toEqual({ reserved: 4n, spent: 0n });
    });

    it('a reservation that its repetition refuses is given back, when the first statement ends late', async () => {
      const organizationId = randomUUID();
      const limit = await world.limits.create(limitOfOrganization(organizationId, { hard: 10n }), 'a test');
      const database = new LateDatabase(test.database, 'gateway_reserve_spend');
      const ledger = aLedger({ database });
      await world.ledger.reserve(anAttempt({ organizationId, estimate: 2n }));
      await expect(ledger.reserve(anAttempt({ organizationId, estimate: 5n }))).rejects.toThrow(
        SpendLimitIsReached,
      );
      // The release is a settlement of the same ledger; a later one waits for it.
      await ledger.settle(randomUUID(), anOutcome());
      expect(await world.level(limit)).toEqual({ reserved: 2n, spent: 0n });
    });

    it('a settlement counts once', async () => {
      const organizationId = randomUUID();
      const limit = await world.limits.create(limitOfOrganization(organizationId, { hard: 10n }), 'a test');
      const ledger = losing('settle', 2);
      await ledger.settle(
        await ledger.reserve(anAttempt({ organizationId, estimate: 4n })),
        anOutcome({ cost: 3n }),
      );
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 3n });
    });

    it('a reservation that fails for its caller is given back', async () => {
      const organizationId = randomUUID();
      const limit = await world.limits.create(limitOfOrganization(organizationId, { hard: 10n }), 'a test');
      const ledger = losing('stored_usage', 5);
      const first = aLedger({ database: new LosingDatabase(test.database, 'gateway_', 3) });
      await expect(first.reserve(anAttempt({ organizationId, estimate: 4n }))).rejects.toThrow(
        DatabaseIsUnavailable,
      );
      // The release is a settlement of the same ledger; a later one waits for it.
      await first.settle(randomUUID(), anOutcome());
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 0n });
      expect(await ledger.reserve(anAttempt({ organizationId, estimate: 4n }))).toEqual(expect.any(String));
    });

    it('a reservation that failed for its caller is given back, when its statement ends after the release', async () => {
      const organizationId = randomUUID();
      const limit = await world.limits.create(limitOfOrganization(organizationId, { hard: 10n }), 'a test');
      let first: (() => Promise<object[]>) | undefined;
      class SilentDatabase extends Database {
        override within(milliseconds: number) {
          const executor = super.within(milliseconds);
          return {
            query: <Row extends object>(sql: string | Statement, values: readonly unknown[] = []) => {
              if (typeof sql === 'string' || sql.name !== 'gateway_reserve_spend')
                return executor.query<Row>(sql, values);
              first ??= () => executor.query(sql, values);
              throw new DatabaseIsUnavailable(new Error('Connection terminated unexpectedly'));
            },
          };
        }
      }
      jest.useFakeTimers({
        doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate'],
        advanceTimers: true,
      });
      const database = new SilentDatabase(test.database.dataSource);
      const ledger = aLedger({ database });
      await expect(ledger.reserve(anAttempt({ organizationId, estimate: 4n }))).rejects.toThrow(
        DatabaseIsUnavailable,
      );
      // The release is a settlement of the same ledger; a later one waits for it.
      await ledger.settle(randomUUID(), anOutcome());
      await first?.();
      expect(await world.level(limit)).toEqual({ reserved: 4n, spent: 0n });
      jest.advanceTimersByTime(20_000);
      await ledger.settle(randomUUID(), anOutcome());
      expect(await world.level(limit)).toEqual({ reserved: 0n, spent: 0n });
    });
  });
});
