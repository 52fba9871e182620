import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import { domainError } from '#libs/errors';
import { VersionIsStale } from '#libs/event-store';
import { actorOfCaller, GatewayAudit } from '../../../audit/gateway-audit.js';
import { dollarsOf } from '../spend/money.js';
import { columnsOfUsage, type Usage } from '../spend/quantities.js';
import type { AttemptState, Doubt, NanoDollars } from '../spend/spend-ledger.js';
import { CORRECT, DOUBTED_ATTEMPTS, FIND_ATTEMPT, LOCK_ATTEMPT } from './corrections.sql.js';

/** What an attempt counts. */
export interface StoredVersion {
  readonly state: AttemptState | 'reserved' | 'released';
  /** Billionths of a dollar. */
  readonly cost: string | null;
  readonly usage: Usage | null;
}

export interface StoredCorrection {
  /** From 1. */
  readonly number: number;
  /** Of the version that it replaced. */
  readonly doubt: Doubt | null;
  readonly reason: string;
  readonly correctedBy: string;
  /** As JSON of PostgreSQL has it. */
  readonly correctedAt: string;
  readonly version: StoredVersion;
}

/** An attempt at a provider, as it was settled and corrected. */
export interface StoredAttempt {
  readonly id: string;
  readonly requestId: string;
  readonly attempt: number;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly application: string;
  readonly userId: string | null;
  readonly capability: string;
  readonly provider: string;
  readonly credentialId: string;
  readonly model: string;
  readonly returnedModel: string | null;
  readonly failure: string | null;
  readonly providerRequestId: string | null;
  /** null also after a correction. */
  readonly doubt: Doubt | null;
  readonly claim: { readonly usage: Usage | null; readonly billed: string | null } | null;
  readonly estimate: string | null;
  readonly reservedAt: Date;
  readonly settledAt: Date | null;
  readonly wasCorrectedByCall: boolean;
  readonly settled: StoredVersion;
  /** The newest first. */
  readonly corrections: readonly StoredCorrection[];
}

/** What counts now. */
export const currentOf = ({ settled, corrections }: StoredAttempt): StoredVersion =>
  corrections[0]?.version ?? settled;

/** Each change of what the attempt counts is a version. */
export const versionOf = ({ corrections, wasCorrectedByCall }: StoredAttempt): number =>
  1 + (corrections[0]?.number ?? 0) + Number(wasCorrectedByCall);

export class AttemptNotFound extends domainError(
  'not-found',
  'attempt_not_found',
  'There is no such attempt, or it is older than usage is kept. List the doubted ones.',
) {}

/** It runs, or nothing was sent. */
export class AttemptIsNotSettled extends domainError('conflict', 'attempt_not_settled', (state: string) => ({
  detail:
    state === 'reserved'
      ? 'The attempt still runs. Correct it when it has ended.'
      : 'Nothing was sent, so that the attempt has no usage. Correct another one.',
  isFinal: false,
})) {}

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
    ...(usage && columnsOfUsage(usage)),
  };
}

const shownOf = ({ state, cost, usage }: StoredVersion) => ({
  state,
  cost: cost === null ? null : dollarsOf(BigInt(cost)),
  usage,
});
