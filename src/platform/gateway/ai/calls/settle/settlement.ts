import type { AiCapability } from '../../../access/attribution.js';
import { costOf, type Prices } from '../../models/domain/prices.js';
import { type Failure, type FailureKind, mayBeBilled } from '../../providers/wires/failure.js';
import type { Usage } from '../../usage/spend/quantities.js';
import type { AttemptState, Claim, NanoDollars, SettledAttempt } from '../../usage/spend/spend-ledger.js';
import type { PlannedModel } from '../plan/plan.js';

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
  /** What the provider says that it charges, in place of its price; null: it does not say. */
  readonly billed?: NanoDollars | null;
  /** What the provider said, where it is more than the model can consume: it is left out of the other members. */
  readonly disbelieved?: Claim | null;
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
  if (isUsagePartial) return unknown(prices, ended, null);
  if (usage) return settled('done', prices, ended, null, { usage, cost: costIn(prices, usage, ended) });
  return settled('estimated', prices, ended, null, estimated);
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
  if (usage)
    return settled('estimated', prices, ended, failure, { usage, cost: costIn(prices, usage, ended) });
  return settled('estimated', prices, ended, failure, soFar ? atLeast(prices, soFar, estimated) : estimated);
}

const costIn = (prices: Prices | null, usage: Usage, { billed = null }: Ended): NanoDollars | null =>
  billed ?? costOf(prices, usage);

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
  const { usage, soFar = null, isUsagePartial = false, disbelieved = null } = ended;
  const counted = usage ?? soFar;
  const isUncounted = usage === null && (mayBeBilled(failure) || disbelieved !== null);
  if (isUsagePartial || isUncounted) return unknown(prices, ended, failure);
  if (counted === null)
    return failure.kind === 'not-sent'
      ? { kind: 'release', failure: failure.kind }
      : settled('failed', prices, ended, failure, { usage: null, cost: 0n });
  const cost = costIn(prices, counted, ended);
  if (cost === null) return unknown(prices, ended, failure);
  return settled(usage ? 'failed' : 'estimated', prices, ended, failure, { usage: counted, cost });
}

/** The reservation stays counted. */
const unknown = (prices: Prices | null, ended: Ended, failure: Failure | null): Settlement =>
  settled('unknown', prices, ended, failure, { usage: ended.usage ?? ended.soFar ?? null, cost: null });

const settled = (
  state: AttemptState,
  prices: Prices | null,
  { model = null, requestId, disbelieved = null, isUsagePartial = false }: Ended,
  failure: Failure | null,
  { usage, cost }: Estimate,
): Settlement => ({
  kind: 'settle',
  settled: {
    state,
    model,
    usage,
    cost,
    failure: failure?.kind ?? null,
    providerRequestId: requestId,
    doubt: disbelieved
      ? 'implausible'
      : prices && usage && cost === null && !isUsagePartial
        ? 'uncosted'
        : null,
    claim: disbelieved,
  },
});

/** What an attempt costs as far as it is known. */
export const knownCost = (settlement: Settlement): NanoDollars | null =>
  settlement.kind === 'release' ? 0n : settlement.settled.cost;

/** Of a model whose window is not known. The largest of known models is 10 million tokens. */
const LARGEST_WINDOW = 20_000_000;
/** Catalogs give the window of the text to models of images and audio, whose tokens are more. */
const LEAST_WINDOW_OF_MEDIA = 200_000;
const MOST_SECONDS = 86_400;
/** Providers add fees, and prices change before they are known. */
const MOST_TIMES_THE_PRICE = 10n;
const NANO_CENT = 10_000_000n;
/** Of one call of a model without a price. */
const MOST_WITHOUT_PRICE = 100_000_000_000n;

/**
 * What a provider says that an attempt consumed, as far as the model can consume it. More than its window is not believed: a wrong
 * count would use up the limits of a month.
 */
export function believable<T extends Ended>(capability: AiCapability, model: PlannedModel, ended: T): T {
  const most = mostTokens(capability, model);
  const isPossible = (usage: Usage | null | undefined) =>
    !usage || (tokensOf(usage) <= most * Math.max(1, usage.images) && usage.audioSeconds <= MOST_SECONDS);
  const { usage, soFar = null, billed = null } = ended;
  const disbelieved = { usage: usage ?? soFar, billed };
  if (!isPossible(usage) || !isPossible(soFar))
    return { ...ended, usage: null, soFar: null, billed: null, disbelieved };
  return isBillPossible(model, ended) ? ended : { ...ended, billed: null, disbelieved };
}

function mostTokens(capability: AiCapability, { contextWindow, maxOutputTokens }: PlannedModel): number {
  if (contextWindow === null) return LARGEST_WINDOW;
  const window = contextWindow + (maxOutputTokens ?? 0);
  return capability === 'completions' ? window : Math.max(window, LEAST_WINDOW_OF_MEDIA);
}

const tokensOf = ({ audioSeconds: _, images: __, ...tokens }: Usage): number =>
  Object.values(tokens).reduce((sum, count) => sum + count, 0);

function isBillPossible({ prices }: PlannedModel, { usage, billed = null }: Ended): boolean {
  if (billed === null) return true;
  const own = usage && costOf(prices, usage);
  return billed <= (own === null ? MOST_WITHOUT_PRICE : own * MOST_TIMES_THE_PRICE + NANO_CENT);
}
