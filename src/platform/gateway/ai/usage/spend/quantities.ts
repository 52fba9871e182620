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

/** Its columns in gateway.usage. */
export const USAGE_COLUMNS = {
  inputTokens: 'input_tokens',
  cachedInputTokens: 'cached_input_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  outputTokens: 'output_tokens',
  inputImageTokens: 'input_image_tokens',
  outputImageTokens: 'output_image_tokens',
  inputAudioTokens: 'input_audio_tokens',
  audioSeconds: 'audio_seconds',
  images: 'images',
} as const satisfies Record<keyof Usage, string>;

export const USAGE_NAMES = Object.keys(USAGE_COLUMNS) as (keyof Usage)[];

export const NO_USAGE = Object.fromEntries(USAGE_NAMES.map((name) => [name, 0])) as unknown as Usage;

/** Values by their columns. */
export const columnsOfUsage = (usage: Usage | null): Readonly<Record<string, number | undefined>> =>
  Object.fromEntries(USAGE_NAMES.map((name) => [USAGE_COLUMNS[name], usage?.[name]]));

/** More than a call can consume, and few enough that costs and sums over all calls fit their columns. */
export const MOST_OF_A_CALL = 1_000_000_000;

/** null for counts that no call can have: what was consumed is not known then. */
export const credible = (usage: Usage): Usage | null =>
  Object.values(usage).every((quantity) => quantity <= MOST_OF_A_CALL) ? usage : null;
