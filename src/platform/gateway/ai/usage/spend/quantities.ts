/**
 * What an attempt consumed, as the provider counted it. The quantities do not overlap: a token is counted in exactly one of them, so
 * that a cost is the sum of quantity times price.
 */
export interface Usage {
  /** Text tokens of the input that were neither read from nor written to the provider's cache. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  /** Text tokens of the output, reasoning included. */
  readonly outputTokens: number;
  readonly inputImageTokens: number;
  readonly outputImageTokens: number;
  readonly inputAudioTokens: number;
  /** Of audio; 0 where the provider counts tokens. */
  readonly audioSeconds: number;
  /** Whole images in the response. */
  readonly images: number;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  inputImageTokens: 0,
  outputImageTokens: 0,
  inputAudioTokens: 0,
  audioSeconds: 0,
  images: 0,
};

/** More than a call can consume, and few enough that costs and sums over all calls fit their columns. */
export const MOST_OF_A_CALL = 1_000_000_000;

/** null for counts that no call can have: what was consumed is not known then. */
export const credible = (usage: Usage): Usage | null =>
  Object.values(usage).every((quantity) => quantity <= MOST_OF_A_CALL) ? usage : null;
