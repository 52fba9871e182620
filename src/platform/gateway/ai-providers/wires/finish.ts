import type { Completion, FinishReason } from './wire.js';

/** What a response has brought when it ends. */
export interface Brought {
  readonly hasText: boolean;
  readonly hasCalls: boolean;
}

export const broughtBy = ({ text, toolCalls }: Pick<Completion, 'text' | 'toolCalls'>): Brought => ({
  hasText: text !== '',
  hasCalls: toolCalls.length > 0,
});

/**
 * How a response ends. Providers add reasons: one that is not known, or is missing, takes nothing away from what arrived.
 * @param known by the provider's own words
 * @returns null: not readable, because nothing arrived either
 */
export function finishReasonOf(
  known: ReadonlyMap<unknown, FinishReason>,
  reason: unknown,
  { hasText, hasCalls }: Brought,
): FinishReason | null {
  return known.get(reason) ?? (hasCalls ? 'tool_calls' : hasText ? 'other' : null);
}
