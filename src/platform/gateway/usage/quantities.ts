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
