import { randomUUID } from 'node:crypto';
import { loadConfig } from '#libs/config';
import type { Database } from '#libs/database';
import { Metrics } from '#libs/http';
import { SpendCounters } from '../../src/platform/gateway/ai/usage/ledger/spend-counters.js';
import { StoredSpendLedger } from '../../src/platform/gateway/ai/usage/ledger/stored-spend-ledger.js';
import { LimitsStore } from '../../src/platform/gateway/ai/usage/limits/limits.store.js';
import type { NewSpendLimit } from '../../src/platform/gateway/ai/usage/spend/spend-limit.js';
import type {
  PlannedAttempt,
  SettledAttempt,
} from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
import { UsageRollups } from '../../src/platform/gateway/ai/usage/rollups/usage-rollups.js';
import { SpendMetrics } from '../../src/platform/gateway/ai/usage/spend/spend.metrics.js';
import { UsageConfig } from '../../src/platform/gateway/ai/usage/usage.config.js';
import { UsageSweep } from '../../src/platform/gateway/ai/usage/usage.sweep.js';
import type { TestDatabase } from './test-database.js';

/** One billionth of a dollar is 1n. */
export const DOLLAR = 1_000_000_000n;

export const anAttempt = ({
  organizationId = randomUUID(),
  applicationId = randomUUID(),
  userId = null,
  ...rest
}: Partial<PlannedAttempt> &
  Partial<Record<'organizationId' | 'applicationId', string>> & {
    userId?: string | null;
  } = {}): PlannedAttempt => ({
  attribution: { organizationId, applicationId, application: 'mail', userId },
  capability: 'completions',
  requestId: randomUUID(),
  attempt: 1,
  provider: 'openai',
  credentialId: randomUUID(),
  model: 'gpt-5',
  estimate: DOLLAR,
  ...rest,
});

export const anOutcome = (more: Partial<SettledAttempt> = {}): SettledAttempt => ({
  state: 'done',
  model: null,
  usage: null,
  cost: DOLLAR / 2n,
  failure: null,
  providerRequestId: null,
  milliseconds: 12,
  doubt: null,
  claim: null,
  ...more,
});

/** A limit per day of an organization. */
export const limitOfOrganization = (
  organizationId: string,
  more: Partial<NewSpendLimit> = {},
): NewSpendLimit => ({
  scopeType: 'organization',
  scopeValue: organizationId,
  organizationId,
  setBy: 'organization',
  period: 'day',
  hard: 10n * DOLLAR,
  soft: null,
  ...more,
});

/** A limit per day of all calls. */
export const limitOfPlatform = (more: Partial<NewSpendLimit> = {}): NewSpendLimit => ({
  scopeType: 'platform',
  scopeValue: 'platform',
  organizationId: null,
  setBy: 'platform',
  period: 'day',
  hard: 1_000n * DOLLAR,
  soft: null,
  ...more,
});

/** Of another replica. */
export const aLedger = ({ database }: { readonly database: Database }) =>
  new StoredSpendLedger(database, new SpendMetrics(new Metrics()), new SpendCounters(database));

export function spendWorld(test: TestDatabase) {
  const limits = new LimitsStore(test.database, new SpendCounters(test.database));
  const config = loadConfig(UsageConfig, {});
  const sweeps = new UsageSweep(
    test.database,
    new UsageRollups(test.database),
    config,
    new SpendMetrics(new Metrics()),
  );
  return {
    ledger: aLedger(test),
    limits,
    /** @param minimumAgeMs of reservations; default: as in production */
    sweep: (minimumAgeMs?: number) => sweeps.sweep(minimumAgeMs),
    /** With what it counts now. */
    level: async (id: string) => {
      const limit = await limits.find(id);
      return limit && { spent: limit.spent, reserved: limit.reserved };
    },
    rows: (organizationId: string) =>
      test.database.query<{ id: string; state: string; estimate: string | null; cost: string | null }>(
        'SELECT id, state, estimate, cost FROM gateway.usage WHERE organization_id = $1 ORDER BY id',
        [organizationId],
      ),
    /** As if a row had been reserved so long before. */
    age: (id: string, milliseconds: number) =>
      test.database.query(
        `UPDATE gateway.usage SET reserved_at = reserved_at - $2::float8 * interval '1 millisecond' WHERE id = $1`,
        [id, milliseconds],
      ),
  };
}
