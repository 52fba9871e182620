import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { actorOfCaller, GatewayAudit } from '../../../audit/gateway-audit.js';
import { dollarsOf } from '../spend/money.js';
import type { Usage } from '../spend/quantities.js';
import type { NanoDollars } from '../spend/spend-ledger.js';
import { currentOf, type StoredAttempt, type StoredVersion, versionOf } from './attempt.js';
import { AttemptIsNotSettled, AttemptNotFound } from './corrections.errors.js';
import { CORRECT, DOUBTED_ATTEMPTS, FIND_ATTEMPT, LOCK_ATTEMPT, USAGE_COLUMNS } from './corrections.sql.js';

/** What is left out stays as it is. */
export interface Correction {
  readonly reason: string;
  readonly cost?: NanoDollars;
  readonly usage?: Usage;
}

/** Attempts whose usage is wrong. What was settled stays stored; sums, limits and reports count the newest correction. */
@Injectable()
export class Corrections {
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
  ) {}

  /** The newest first. @param after id of the last one of the page before */
  doubted(after: string | null, count: number): Promise<StoredAttempt[]> {
    return this.database.query<StoredAttempt>(DOUBTED_ATTEMPTS, [after, count]);
  }

  /** @throws AttemptNotFound */
  async find(id: string): Promise<StoredAttempt> {
    const [attempt] = await this.database.query<StoredAttempt>(FIND_ATTEMPT, [id]);
    if (!attempt) throw new AttemptNotFound();
    return attempt;
  }

  /** @throws AttemptNotFound, VersionIsStale, AttemptIsNotSettled */
  correct(id: string, correction: Correction, by: Caller, ifVersion?: number): Promise<StoredAttempt> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(LOCK_ATTEMPT, [id]);
      const former = await this.find(id);
      const version = versionOf(former);
      if (ifVersion !== undefined && ifVersion !== version) throw new VersionIsStale(version);
      const { state } = former.settled;
      if (state === 'reserved' || state === 'released') throw new AttemptIsNotSettled(state);
      const changes = JSON.stringify(changesOf(former, correction));
      await transaction.query(CORRECT, [id, changes, correction.reason, by.id]);
      const corrected = await this.find(id);
      await this.record(former, corrected, by);
      return corrected;
    });
  }

  /** It concerns the organization, and the platform made it. */
  private async record(former: StoredAttempt, corrected: StoredAttempt, by: Caller): Promise<void> {
    const { id, organizationId, doubt } = former;
    const entry = {
      action: 'usage_corrected',
      actor: actorOfCaller(by),
      target: { type: 'attempt', id },
      details: {
        reason: corrected.corrections[0]?.reason,
        doubt,
        from: shownOf(currentOf(former)),
        to: shownOf(currentOf(corrected)),
      },
    };
    for (const audience of [organizationId, null])
      await this.audit.record(this.database, { ...entry, organizationId: audience });
  }
}

/** Columns. With a cost, the outcome is known as far as it counts. */
function changesOf({ failure }: StoredAttempt, { cost, usage }: Correction): Record<string, unknown> {
  const state = failure === null ? 'done' : 'failed';
  return {
    ...(cost !== undefined && { cost: cost.toString(), state }),
    ...(usage &&
      Object.fromEntries(
        Object.entries(USAGE_COLUMNS).map(([name, column]) => [column, usage[name as keyof Usage]]),
      )),
  };
}

const shownOf = ({ state, cost, usage }: StoredVersion) => ({
  state,
  cost: cost === null ? null : dollarsOf(BigInt(cost)),
  usage,
});
