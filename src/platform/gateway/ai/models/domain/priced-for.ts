import type { AiCapability } from '../../../access/attribution.js';
import { isAboveZero, type Prices } from './prices.js';

type Names = readonly (keyof Prices)[];

const BY_HOUR: Names = ['audioHours'];
const BY_TOKENS: Names = ['inputAudioTokens', 'outputTokens'];
/** What OpenAI counts in transcriptions of a model (developers.openai.com, pricing). Of other models it is not known. */
const TRANSCRIBED: readonly (readonly [model: RegExp, counted: Names])[] = [
  [/gpt-4o(-mini)?-transcribe/, BY_TOKENS],
  [/whisper|gpt-transcribe/, BY_HOUR],
];

/** What a request of a capability consumes: all of one of these lists has a price, and not zeros only. */
function consumedBy(capability: AiCapability, model: string): readonly Names[] {
  if (capability === 'completions') return [['inputTokens', 'outputTokens']];
  if (capability === 'images') return [['inputTokens', 'outputImageTokens'], ['images']];
  const counted = TRANSCRIBED.find(([pattern]) => pattern.test(model))?.[1];
  return counted ? [counted] : [BY_HOUR, BY_TOKENS];
}

/**
 * Whether the cost of requests of a capability is known. Zeros with the price of another capability are no price.
 * @param model the provider's own name, or provider/model
 */
export const isPricedFor = (
  capability: AiCapability,
  model: string,
  prices: Prices | null,
): prices is Prices =>
  prices !== null &&
  consumedBy(capability, model).some(
    (names) =>
      names.every((name) => prices[name] !== undefined) && names.some((name) => isAboveZero(prices[name])),
  );

/** What a price per image includes, unless it has a price of its own: cached tokens and input images are input too. */
const INCLUDED_IN_IMAGES: Prices = { inputTokens: '0', outputTokens: '0' };

/** The prices by which requests of a capability are charged; null: their cost is not known. @param model as of `isPricedFor` */
export function pricesFor(capability: AiCapability, model: string, prices: Prices | null): Prices | null {
  if (!isPricedFor(capability, model, prices)) return null;
  const isPerImage = capability === 'images' && prices.outputImageTokens === undefined;
  return isPerImage ? { ...INCLUDED_IN_IMAGES, ...prices } : prices;
}
