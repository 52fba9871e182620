import { credible, NO_USAGE, type Usage } from '../../../usage/spend/quantities.js';
import { count, isRecord, type Members } from '../values.js';

/** `input_tokens` excludes what was read from and written to the cache. @returns null when the counts are missing, which is not zero */
export function anthropicUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) return null;
  const [input, output] = [count(usage.input_tokens), count(usage.output_tokens)];
  if (input === null || output === null) return null;
  return credible({
    ...NO_USAGE,
    inputTokens: input,
    cachedInputTokens: count(usage.cache_read_input_tokens) ?? 0,
    cacheWriteTokens: count(usage.cache_creation_input_tokens) ?? 0,
    outputTokens: output,
  });
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/** The counts of a stream are totals: a later one replaces the earlier, and is never added to it. */
export function laterUsage(earlier: Members, later: unknown): Members {
  if (!isRecord(later)) return earlier;
  const counted = COUNTS.filter((name) => count(later[name]) !== null);
  return { ...earlier, ...Object.fromEntries(counted.map((name) => [name, later[name]])) };
}
