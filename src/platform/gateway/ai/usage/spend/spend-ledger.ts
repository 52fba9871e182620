import type { AiCapability, Attribution } from '../../../access/attribution.js';
import type { Usage } from './quantities.js';

/** Amounts of money are whole billionths of a US dollar, as bigint: prices are per million tokens, and sums must be exact. */
export type NanoDollars = bigint;

/** A routing plan that an earlier request read: what it was read for, and a fingerprint of what was read. */
export interface ExpectedPlan {
  /** `provider/model` that the request names; null: none. */
  readonly model: string | null;
  /** As provider/model: those whose prices were read too. */
  readonly returned: readonly string[];
  readonly fingerprint: string;
}

export interface PlannedAttempt {
  readonly attribution: Attribution;
  readonly capability: AiCapability;
  /** Of the caller's request; its attempts share it. UUID. */
  readonly requestId: string;
  /** From 1. */
  readonly attempt: number;
  readonly provider: string;
  readonly credentialId: string;
  readonly model: string;
  /** The most that the attempt is expected to cost; null: the model has no price. */
  readonly estimate: NanoDollars | null;
  /** The attempt is reserved only if the credential is enabled and still has this encrypted secret. */
  readonly sealedSecret?: string;
  /** The attempt is reserved only if the plan of now is the same. */
  readonly expectedPlan?: ExpectedPlan;
}

/** The credential of an attempt was disabled, deleted or rotated, or its plan changed, after it was read. Nothing is reserved. */
export class PlanHasChanged extends Error {
  constructor() {
    super('The plan or the credential of the attempt has changed. Read it again.');
  }
}

/**
 * `unknown`: sent, and its cost is not known: its outcome is not known, or a part of what is billed is not counted or has no price.
 * `estimated`: the provider did not say what was consumed. `failed`: with its cost, which is 0 unless the provider bills the failure.
 */
export type AttemptState = 'done' | 'failed' | 'unknown' | 'estimated';

/**
 * What a person should look at. `implausible`: the provider counted more than the model can consume. `uncosted`: it counted in a unit that
 * the price list of the model does not have.
 */
export type Doubt = 'implausible' | 'uncosted';

/** What a provider said that an attempt consumed, where it is not believed. */
export interface Claim {
  readonly usage: Usage | null;
  /** What it says that it charges; null: it does not say. */
  readonly billed: NanoDollars | null;
}

export interface SettledAttempt {
  readonly state: AttemptState;
  /** As returned by the provider; null: the one that was asked for. */
  readonly model: string | null;
  readonly usage: Usage | null;
  /** null: not known, or the model has no price. The reserved estimate stays counted. Never of `failed`. */
  readonly cost: NanoDollars | null;
  /** Kind of the failure, as the AI routes name it. */
  readonly failure: string | null;
  readonly providerRequestId: string | null;
  readonly milliseconds: number;
  readonly doubt: Doubt | null;
  /** Of an `implausible` attempt. */
  readonly claim: Claim | null;
}

/**
 * What calls may cost and did cost, over all replicas. Each of the three is one statement that commits by itself; a process that ends
 * in between leaves a reservation, which a sweep settles as `unknown`.
 */
export abstract class SpendLedger {
  /**
   * Takes the estimate from every hard limit that the attempt counts against: platform, organization, application, per day and month.
   * @returns the id of the usage row
   * @throws SpendLimitIsReached, ModelHasNoPrice when a hard limit guards the attempt and the estimate is null, PlanHasChanged
   */
  abstract reserve(attempt: PlannedAttempt): Promise<string>;

  /** Once: the second settlement of a row has no effect. */
  abstract settle(usageId: string, settled: SettledAttempt): Promise<void>;

  /** The provider was certainly not asked. Gives back what was reserved. */
  abstract release(usageId: string, failure: string | null): Promise<void>;
}
