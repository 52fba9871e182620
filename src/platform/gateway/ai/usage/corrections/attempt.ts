import type { AttemptState, Doubt } from '../spend/spend-ledger.js';
import type { Usage } from '../spend/quantities.js';

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
