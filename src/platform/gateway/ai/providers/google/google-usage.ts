import { credible, NO_USAGE, type Usage } from '../../usage/spend/quantities.js';
import { count, isRecord, list, record } from '../wires/values.js';

/**
 * Of `usageMetadata`. `promptTokenCount` includes `cachedContentTokenCount`; thoughts are apart and are billed as output. A count that is 0
 * is left out (JSON of protocol buffers), but no prompt has 0 tokens. @returns null when the prompt is not counted, which is not zero
 * @param images in the response; with images, output without details counts as image tokens
 */
export function googleUsage(usage: unknown, images = 0): Usage | null {
  if (!isRecord(usage)) return null;
  const prompt = count(usage.promptTokenCount);
  if (prompt === null) return null;
  const cached = Math.min(count(usage.cachedContentTokenCount) ?? 0, prompt);
  const output = count(usage.candidatesTokenCount) ?? 0;
  const input = byModality(usage.promptTokensDetails, prompt, usage.cacheTokensDetails, cached);
  const details = list(usage.candidatesTokensDetails);
  const drawn = details.length > 0 ? tokensOf(details, 'IMAGE') : images > 0 ? output : 0;
  return credible({
    ...NO_USAGE,
    ...input,
    inputTokens: input.inputTokens + (count(usage.toolUsePromptTokenCount) ?? 0),
    cachedInputTokens: cached,
    outputTokens: Math.max(output - drawn, 0) + (count(usage.thoughtsTokenCount) ?? 0),
    outputImageTokens: Math.min(drawn, output),
    images,
  });
}

/** The first counts of a stream are of the prompt only. An output of 0 that is written is a count. */
export function hasOutputCount(usage: unknown): boolean {
  const { candidatesTokenCount: output, thoughtsTokenCount: thoughts } = record(usage);
  return count(output) !== null || count(thoughts) !== null;
}

/** What was not read from the cache. Without details of the cache, it is taken from text first. */
function byModality(details: unknown, prompt: number, cacheDetails: unknown, cached: number) {
  const [all, ofCache] = [list(details), list(cacheDetails)];
  const images = Math.max(tokensOf(all, 'IMAGE') - tokensOf(ofCache, 'IMAGE'), 0);
  const audio = Math.max(tokensOf(all, 'AUDIO') - tokensOf(ofCache, 'AUDIO'), 0);
  const uncached = prompt - cached;
  const inputImageTokens = Math.min(images, uncached);
  const inputAudioTokens = Math.min(audio, uncached - inputImageTokens);
  return { inputTokens: uncached - inputImageTokens - inputAudioTokens, inputImageTokens, inputAudioTokens };
}

const tokensOf = (details: readonly unknown[], modality: string): number =>
  details
    .map(record)
    .filter((detail) => detail.modality === modality)
    .reduce((sum, { tokenCount }) => sum + (count(tokenCount) ?? 0), 0);

/** Of several responses; null when one of them is not known. */
export function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  return usages.reduce<Usage | null>((sum, usage) => sum && usage && added(sum, usage), NO_USAGE);
}

function added(one: Usage, other: Usage): Usage {
  const names = Object.keys(NO_USAGE) as (keyof Usage)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Usage;
}
