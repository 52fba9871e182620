import type { Failure, FailureKind } from '../../ai-providers/failure.js';
import type { Usage } from '../../usage/quantities.js';
import type { Prices } from '../../models/prices.js';
import { costOf } from '../../models/prices.js';
import type { NanoDollars, SettledAttempt } from '../../usage/spend-ledger.js';

/** How an attempt counts; without the time that it took. */
export type Settlement =
  | { readonly kind: 'release'; readonly failure: FailureKind }
  | { readonly kind: 'settle'; readonly settled: Omit<SettledAttempt, 'milliseconds'> };

export interface Ended {
  readonly usage: Usage | null;
  readonly requestId: string | null;
}

/** What was consumed, where the provider did not say. */
export interface Estimate {
  readonly usage: Usage | null;
  /** null: something that was consumed has no price. */
  readonly cost: NanoDollars | null;
}

export function settlementOfAnswer(
  prices: Prices | null,
  { usage, requestId, model }: Ended & { readonly model: string | null },
  estimated: Estimate,
): Settlement {
  const counted = usage ? { usage, cost: costOf(prices, usage) } : estimated;
  const state = usage ? 'done' : 'estimated';
  return {
    kind: 'settle',
    settled: { state, model, ...counted, failure: null, providerRequestId: requestId },
  };
}

/**
 * A stream that has content and no end. Providers bill it, and say nowhere by how much: the whole input and the output that arrived.
 * @param failure null: the caller left
 */
export function settlementOfCut(
  prices: Prices | null,
  failure: Failure | null,
  { usage, requestId }: Ended,
  estimated: Estimate,
): Settlement {
  const counted = usage ? atLeast(prices, usage, estimated.usage) : estimated;
  const settled = { state: 'estimated', model: null, ...counted, failure: failure?.kind ?? null } as const;
  return { kind: 'settle', settled: { ...settled, providerRequestId: requestId } };
}

/** What a provider had counted before the end is the least: of the output, what arrived can be more. */
function atLeast(prices: Prices | null, counted: Usage, estimated: Usage | null): Estimate {
  const outputTokens = Math.max(counted.outputTokens, estimated?.outputTokens ?? 0);
  const usage = { ...counted, outputTokens };
  return { usage, cost: costOf(prices, usage) };
}

/** Sent, and the provider may have done the work without saying what it cost. */
function isCostUnknown({ kind, status }: Failure, usage: Usage | null): boolean {
  if (kind === 'no-answer') return true;
  return usage === null && (kind === 'unreadable' || (kind === 'policy' && status === 200));
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
  if (isCostUnknown(failure, usage))
    return { kind: 'settle', settled: { ...shared, state: 'unknown', cost: null } };
  const cost = usage ? costOf(prices, usage) : 0n;
  return { kind: 'settle', settled: { ...shared, state: 'failed', cost } };
}

/** What an attempt costs as far as it is known. */
export const knownCost = (settlement: Settlement): NanoDollars | null =>
  settlement.kind === 'release' ? 0n : settlement.settled.cost;
