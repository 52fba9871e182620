import type { CompletionRequest } from '../requests.js';
import { failureOf } from './failures.js';
import type { Attempted } from './wire.js';

interface Unsendable {
  /** Whether the wire takes images of the assistant. */
  readonly takesAssistantImages: boolean;
  readonly secret: string;
}

/** A request that the wire cannot express. Nothing is sent. null: it can be sent. */
export function unsendable(
  request: CompletionRequest,
  { takesAssistantImages, secret }: Unsendable,
): Extract<Attempted<never>, { kind: 'failed' }> | null {
  const message = problemOf(request) ?? (takesAssistantImages ? null : imageProblemOf(request));
  if (message === null) return null;
  const failure = failureOf('invalid', { status: null, message, secret });
  return { kind: 'failed', failure, usage: null, requestId: null };
}

function problemOf({ messages }: CompletionRequest): string | null {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool' && !ids.has(message.toolCallId))
      return 'A tool message has the id of no tool call before it.';
    if (message.role === 'assistant') for (const { id } of message.toolCalls) ids.add(id);
  }
  return null;
}

function imageProblemOf({ messages }: CompletionRequest): string | null {
  const hasImage = messages.some(
    (message) => message.role === 'assistant' && message.content.some(({ type }) => type === 'image'),
  );
  return hasImage ? 'This provider takes no images in messages of the assistant.' : null;
}
