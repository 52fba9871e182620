import type { ModelRef } from '../../models/model-ref.js';
import type { Prices } from '../../models/prices.js';

/** Why calls with a credential are held back. */
export const BREAKER_REASONS = ['money', 'rate', 'overload'] as const;
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

export interface PlannedCredential {
  readonly id: string;
  readonly provider: string;
  /** null: the default of the platform. */
  readonly organizationId: string | null;
  readonly breaker: Breaker;
  /** The provider did not accept it when it was used last. */
  readonly isFailing: boolean;
  /** Failures in a row that count towards opening the breaker. */
  readonly failures: number;
  readonly dataKey: string;
  /** Encrypted. */
  readonly secret: string;
}

/** A model that may serve the request, and the credentials that may be used, in order. */
export interface PlannedModel extends ModelRef {
  /** In tokens; null: not known. */
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  /** As of the start of the request; null: the model has no price. */
  readonly prices: Prices | null;
  readonly credentials: readonly PlannedCredential[];
}

/** Which models serve a request: the chosen one first, then the fallback chain. Never empty. */
export interface Plan {
  readonly models: readonly PlannedModel[];
  /** Whether the chain also continues after a refusal by the content policy of a provider. */
  readonly fallbackOnPolicy: boolean;
}
