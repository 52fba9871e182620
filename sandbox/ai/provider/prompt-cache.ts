import { createHash } from 'node:crypto';
import type { Clock } from '#libs/clock';
import { tokensOf } from '../answers/tokens.js';

/** OpenAI caches prefixes of at least 1024 tokens, in steps of 128; the others are simulated alike. */
const LEAST_TOKENS = 1_024;
const STEP_TOKENS = 128;
const LIFE_MS = 300_000;
const CAPACITY = 50_000;

/** Prefixes of prompts that a provider has seen within five minutes, by key. */
export class PromptCache {
  private readonly blocks = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /**
   * Tokens of the longest cached prefix. Caches the prompt.
   * @param prefix the part that can be cached; a prompt that is shorter than 1024 tokens is not
   */
  read(scope: string, prefix: string): { readonly cached: number; readonly cacheable: number } {
    const tokens = prefix.length < LEAST_TOKENS ? [] : tokensOf(prefix);
    const cacheable = tokens.length < LEAST_TOKENS ? 0 : tokens.length - (tokens.length % STEP_TOKENS);
    const until = this.clock.now().getTime() + LIFE_MS;
    const hash = createHash('sha256').update(scope);
    let cached = 0;
    for (let end = STEP_TOKENS; end <= cacheable; end += STEP_TOKENS) {
      hash.update(tokens.slice(end - STEP_TOKENS, end).join(''));
      const block = hash.copy().digest('base64');
      if (cached === end - STEP_TOKENS && (this.blocks.get(block) ?? 0) > until - LIFE_MS) cached = end;
      this.keep(block, until);
    }
    return { cached: cached < LEAST_TOKENS ? 0 : cached, cacheable };
  }

  clear(): void {
    this.blocks.clear();
  }

  private keep(block: string, until: number): void {
    this.blocks.delete(block);
    this.blocks.set(block, until);
    if (this.blocks.size <= CAPACITY) return;
    const oldest = this.blocks.keys().next().value;
    if (oldest !== undefined) this.blocks.delete(oldest);
  }
}
