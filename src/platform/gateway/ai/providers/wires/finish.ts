import type { Completion, FinishReason } from './wire.js';

/** What a response has brought when it ends. */
export interface Brought {
  readonly hasText: boolean;
  readonly hasCalls: boolean;
  /** Whether parts of it were left out: they are of another type, or not readable. */
  readonly hasUnread: boolean;
}

export const broughtBy = (
  { text, toolCalls }: Pick<Completion, 'text' | 'toolCalls'>,
  hasUnread: boolean,
): Brought => ({ hasText: text !== '', hasCalls: toolCalls.length > 0, hasUnread });

/**
 * How a response ends. Providers add reasons: one that is not known, or is missing, takes nothing away from what arrived; nor does a part
 * that was left out.
 * @param known by the provider's own words
 * @returns null: not readable, because nothing arrived that is
 */
export function finishReasonOf(
  known: ReadonlyMap<unknown, FinishReason>,
  reason: unknown,
  { hasText, hasCalls, hasUnread }: Brought,
): FinishReason | null {
  const named = known.get(reason) ?? null;
  if (hasCalls) return named ?? 'tool_calls';
  if (hasText) return named === null || named === 'tool_calls' ? 'other' : named;
  return named === 'tool_calls' || (named === 'stop' && hasUnread) ? null : named;
}
