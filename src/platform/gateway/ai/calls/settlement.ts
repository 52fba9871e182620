import type { Failure, FailureKind } from '../../ai-providers/failure.js';
import { mayBeBilled } from '../../ai-providers/failure.js';
import type { Usage } from '../../usage/quantities.js';
import type { Prices } from '../../models/prices.js';
import { costOf } from '../../models/prices.js';
import type { AttemptState, NanoDollars, SettledAttempt } from '../../usage/spend-ledger.js';

/** How an attempt counts; without the time that it took. */
export type Settlement =
  | { readonly kind: 'release'; readonly failure: FailureKind }
  | { readonly kind: 'settle'; readonly settled: Omit<SettledAttempt, 'milliseconds'> };

export interface Ended {
  /** null: the provider did not say. */
  readonly usage: Usage | null;
  /** A part of what is billed is not in `usage`. */
  readonly isUsagePartial?: boolean;
  /** What the provider had counted when a stream ended without its `usage`. */
  readonly soFar?: Usage | null;
  /** `soFar` has the output up to then, hidden tokens included. */
  readonly isOutputCounted?: boolean;
  /** As the provider names it; null: the one that was asked for. */
  readonly model?: string | null;
  readonly requestId: string | null;
}

/** What was consumed, where the provider did not say. */
export interface Estimate {
  readonly usage: Usage | null;
  /** null: something that was consumed has no price. */
  readonly cost: NanoDollars | null;
}

export function settlementOfAnswer(prices: Prices | null, ended: Ended, estimated: Estimate): Settlement {
  const { usage, isUsagePartial = false } = ended;
  if (isUsagePartial) return unknown(ended, null);
  if (usage) return settled('done', ended, null, { usage, cost: costOf(prices, usage) });
  return settled('estimated', ended, null, estimated);
}

/**
 * A stream that has content and no end. Providers bill it, and say nowhere by how much: the whole input and the output, as estimated.
 * @param failure null: the caller left
 */
export function settlementOfCut(
  prices: Prices | null,
  failure: Failure | null,
  ended: Ended,
  estimated: Estimate,
): Settlement {
  const { usage, soFar = null } = ended;
  if (usage) return settled('estimated', ended, failure, { usage, cost: costOf(prices, usage) });
  return settled('estimated', ended, failure, soFar ? atLeast(prices, soFar, estimated) : estimated);
}

/** What a provider had counted before the end is the least: of the output, there can be more. */
function atLeast(prices: Prices | null, counted: Usage, estimated: Estimate): Estimate {
  const outputTokens = Math.max(counted.outputTokens, estimated.usage?.outputTokens ?? 0);
  const usage = { ...counted, outputTokens };
  return { usage, cost: costOf(prices, usage) };
}

/**
 * Only a request that was certainly not sent gives its reservation back. One whose cost is not known keeps it. A definite refusal is
 * free unless the provider says what it consumed.
 */
export function settlementOfFailure(prices: Prices | null, failure: Failure, ended: Ended): Settlement {
  const { usage, soFar = null, isUsagePartial = false } = ended;
  const counted = usage ?? soFar;
  if (isUsagePartial || (usage === null && mayBeBilled(failure))) return unknown(ended, failure);
  if (counted === null)
    return failure.kind === 'not-sent'
      ? { kind: 'release', failure: failure.kind }
      : settled('failed', ended, failure, { usage: null, cost: 0n });
  const cost = costOf(prices, counted);
  if (cost === null) return unknown(ended, failure);
  return settled(usage ? 'failed' : 'estimated', ended, failure, { usage: counted, cost });
}

/** The reservation stays counted. */
const unknown = (ended: Ended, failure: Failure | null): Settlement =>
  settled('unknown', ended, failure, { usage: ended.usage ?? ended.soFar ?? null, cost: null });

const settled = (
  state: AttemptState,
  { model = null, requestId }: Ended,
  failure: Failure | null,
  { usage, cost }: Estimate,
): Settlement => ({
  kind: 'settle',
  settled: { state, model, usage, cost, failure: failure?.kind ?? null, providerRequestId: requestId },
});

/** What an attempt costs as far as it is known. */
export const knownCost = (settlement: Settlement): NanoDollars | null =>
  settlement.kind === 'release' ? 0n : settlement.settled.cost;
