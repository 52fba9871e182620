import type { Accepts } from '../../providers/wires/wire.js';
import type { ModelRef } from '../../models/domain/model-ref.js';
import type { Prices } from '../../models/domain/prices.js';
import type { ExpectedPlan } from '../../usage/spend/spend-ledger.js';

/** Why calls are held back: `money` only those of a whole credential, `rate` and `silence` those of a model with a credential. */
export const BREAKER_REASONS = ['money', 'rate', 'overload', 'silence'] as const;
export type BreakerReason = (typeof BREAKER_REASONS)[number];

/** `half-open`: the time of an open breaker is over; one caller over all replicas may try. */
export type Breaker =
  | { readonly state: 'closed' }
  | { readonly state: 'half-open'; readonly reason: BreakerReason }
  | {
      readonly state: 'open';
      readonly reason: BreakerReason;
      /** null: until a check of the credential succeeds. */
      readonly remainingMs: number | null;
    };

/** A breaker and the failures in a row that count towards opening it. */
export interface Circuit {
  readonly breaker: Breaker;
  readonly failures: number;
}

/** With its own circuit, for what fails with every model. */
export interface PlannedCredential extends Circuit {
  readonly id: string;
  readonly provider: string;
  /** null: the default of the platform. */
  readonly organizationId: string | null;
  /** Of the planned model with this credential. */
  readonly ofModel: Circuit;
  /** The provider did not accept it when it was used last. */
  readonly isFailing: boolean;
  readonly dataKey: string;
  /** Encrypted. */
  readonly secret: string;
}

export const CLOSED: Circuit = { breaker: { state: 'closed' }, failures: 0 };

export const isHeldBack = ({ breaker, ofModel }: PlannedCredential): boolean =>
  breaker.state === 'open' || ofModel.breaker.state === 'open';

/** A model that may serve the request, and the credentials that may be used, in order. */
export interface PlannedModel extends ModelRef {
  /** In tokens; null: not known. */
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  /** Its output can have hidden tokens, which are billed: only the provider's count says how many. */
  readonly mayReason: boolean;
  readonly accepts: Accepts;
  /** As of the start of the request; null: the model has no price. */
  readonly prices: Prices | null;
  readonly credentials: readonly PlannedCredential[];
}

/** Which models serve a request, as of its start. */
export interface RoutingPlan {
  /** `provider/model` that the request names, or the default. The plan can lack it. */
  readonly chosen: string;
  /** The chosen one first, then the fallback chain. Never empty. */
  readonly models: readonly PlannedModel[];
  /** Whether the chain also continues after a refusal by the content policy of a provider. */
  readonly fallbackOnPolicy: boolean;
  /** Of models that providers returned in place of these, by provider/model; null: no price. */
  readonly returnedPrices: Readonly<Record<string, Prices | null>>;
  /** Of a plan that an earlier request read. The first reservation confirms it. */
  readonly expected?: ExpectedPlan;
}
