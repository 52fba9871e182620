import { credible, NO_USAGE, type Usage } from '../../usage/spend/quantities.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';
import { count, isRecord, record } from '../wires/values.js';

/**
 * Of chat completions. `prompt_tokens` includes what was read from and written to the cache, and audio; `completion_tokens` includes
 * reasoning. @returns null when the counts are missing, which is not zero
 */
export function chatUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) return null;
  const [prompt, completion] = [count(usage.prompt_tokens), count(usage.completion_tokens)];
  if (prompt === null || completion === null) return null;
  const details = record(usage.prompt_tokens_details);
  const cached = Math.min(count(details.cached_tokens) ?? 0, prompt);
  const written = Math.min(count(details.cache_write_tokens) ?? 0, prompt - cached);
  const audio = Math.min(count(details.audio_tokens) ?? 0, prompt - cached - written);
  return credible({
    ...NO_USAGE,
    inputTokens: prompt - cached - written - audio,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    inputAudioTokens: audio,
    outputTokens: completion,
  });
}

const NANO = 1_000_000_000;
const MOST_DOLLARS = 1_000_000;
const dollars = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && value <= MOST_DOLLARS ? value : Number.NaN;

/**
 * OpenRouter's `usage.cost` in dollars (openrouter.ai/docs, usage accounting). With a key of the caller at the provider behind it, that one
 * bills `upstream_inference_cost` too.
 */
export function billedIn(usage: unknown): { readonly billed?: NanoDollars } {
  const { cost, is_byok: isOwnKey, cost_details: details } = record(usage);
  const upstream = isOwnKey === true ? dollars(record(details).upstream_inference_cost) : 0;
  const billed = dollars(cost) + upstream;
  return Number.isNaN(billed) ? {} : { billed: BigInt(Math.ceil(Number((billed * NANO).toFixed(3)))) };
}

/**
 * Of images. Output counts as image tokens, unless details say that a part is text (openai-openapi `ImageGenUsage`; the details of the
 * output can be missing).
 * @param images in the response
 */
export function imageUsage(usage: unknown, images: number): Usage | null {
  if (!isRecord(usage)) return null;
  const [input, output] = [count(usage.input_tokens), count(usage.output_tokens)];
  if (input === null || output === null) return null;
  const details = record(usage.input_tokens_details);
  const cached = Math.min(count(details.cached_tokens) ?? 0, input);
  const ofImages = Math.min(count(details.image_tokens) ?? 0, input - cached);
  const text = Math.min(count(record(usage.output_tokens_details).text_tokens) ?? 0, output);
  return credible({
    ...NO_USAGE,
    inputTokens: input - ofImages - cached,
    cachedInputTokens: cached,
    inputImageTokens: ofImages,
    outputTokens: text,
    outputImageTokens: output - text,
    images,
  });
}

/**
 * Of transcriptions: either `{type: "tokens", input_token_details}` (images write `input_tokens_details`) or `{type: "duration", seconds}`.
 * Input without details counts as audio.
 */
export function transcriptionUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) return null;
  const { seconds } = usage;
  if (usage.type === 'duration') {
    const isTime = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0;
    return isTime ? credible({ ...NO_USAGE, audioSeconds: seconds }) : null;
  }
  const [input, output] = [count(usage.input_tokens), count(usage.output_tokens)];
  if (input === null || output === null) return null;
  const details = record(usage.input_token_details);
  const text = Math.min(count(details.text_tokens) ?? 0, input);
  return credible({ ...NO_USAGE, inputTokens: text, inputAudioTokens: input - text, outputTokens: output });
}
