import type { AiCapability } from '../../../access/attribution.js';
import { costOf } from '../../models/domain/prices.js';
import type { Usage } from '../../usage/spend/quantities.js';
import type { PlannedModel } from '../plan/plan.js';
import type { Ended } from './settlement.js';

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
