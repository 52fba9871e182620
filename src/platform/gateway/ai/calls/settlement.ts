import type { Failure, FailureKind } from '../failure.js';
import type { Usage } from '../usage.js';
import type { Prices } from '../../models/prices.js';
import { costOf } from '../../models/prices.js';
import type { NanoDollars, SettledAttempt } from '../../usage/spend-ledger.js';

/** How an attempt counts; without the time that it took. */
export type Settlement =
  | { readonly kind: 'release'; readonly failure: FailureKind }
  | { readonly kind: 'settle'; readonly settled: Omit<SettledAttempt, 'milliseconds'> };

interface Ended {
  readonly usage: Usage | null;
  readonly requestId: string | null;
}

/** @param estimated usage when the provider did not say what it consumed */
export function settlementOfAnswer(
  prices: Prices | null,
  { usage, requestId, model }: Ended & { readonly model: string | null },
  estimated: { readonly usage: Usage | null; readonly cost: NanoDollars | null },
): Settlement {
  const counted = usage ? { usage, cost: costOf(prices, usage) } : estimated;
  const state = usage ? 'done' : 'estimated';
  return {
    kind: 'settle',
    settled: { state, model, ...counted, failure: null, providerRequestId: requestId },
  };
}

/** Sent, and the provider may have done the work without saying what it cost. */
function isCostUnknown({ kind, status }: Failure): boolean {
  return kind === 'no-answer' || kind === 'unreadable' || (kind === 'policy' && status === 200);
}

/**
 * Only a request that was certainly not sent gives its reservation back. One whose outcome is unknown keeps it. A definite refusal is
 * free unless the provider says what it consumed.
 */
export function settlementOfFailure(
  prices: Prices | null,
  failure: Failure,
  { usage, requestId }: Ended,
): Settlement {
  if (failure.kind === 'not-sent') return { kind: 'release', failure: failure.kind };
  const shared = { model: null, usage, failure: failure.kind, providerRequestId: requestId };
  if (usage) return { kind: 'settle', settled: { ...shared, state: 'failed', cost: costOf(prices, usage) } };
  return isCostUnknown(failure)
    ? { kind: 'settle', settled: { ...shared, state: 'unknown', cost: null } }
    : { kind: 'settle', settled: { ...shared, state: 'failed', cost: 0n } };
}

/** What an attempt costs as far as it is known. */
export const knownCost = (settlement: Settlement): NanoDollars | null =>
  settlement.kind === 'release' ? 0n : settlement.settled.cost;
