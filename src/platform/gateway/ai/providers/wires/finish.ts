import { createHash } from 'node:crypto';
import { isRecord, json, type Members } from './values.js';
import type { Completion, FinishReason } from './wire.js';

/** A provider streams at most so many calls of tools in one response. */
export const MAX_TOOL_CALLS = 128;

/** OpenAI takes up to 40 characters, Anthropic these characters only. */
const PORTABLE_ID = /^[\w-]{1,40}$/;

/** The same id for a call and its result, in a format that each provider takes: a conversation can change the provider. */
export const portableId = (id: string): string =>
  PORTABLE_ID.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;

/**
 * The arguments of a call for wires that take an object. Without arguments, models write empty text. Malformed ones become a member of
 * the object: the conversation goes on, and the model sees what it wrote.
 */
export function argumentsOf(source: string): Members {
  if (source.trim() === '') return {};
  const value = json(source);
  return isRecord(value) ? value : { malformed_arguments: source };
}

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
