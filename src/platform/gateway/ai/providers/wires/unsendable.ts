import type { Accepts, Attempted, WireCall } from './wire.js';
import { closedSchema, SchemaIsNotClosed } from './closed-schema.js';
import { failureOf } from './failure.js';
import type { CompletionRequest } from './requests.js';
import type { Members } from './values.js';

/** Empty for a model that refuses a temperature: the request works without. */
export const temperatureFor = (
  { temperature }: CompletionRequest,
  { maxTemperature }: Accepts,
): { readonly temperature?: number } =>
  temperature === null || maxTemperature === null
    ? {}
    : { temperature: Math.min(temperature, maxTemperature) };

/** In the dialect of the model. `unsendable` has refused what it cannot express. */
export const schemaFor = (
  { schema }: NonNullable<CompletionRequest['responseSchema']>,
  accepts: Accepts,
): Members => (accepts.schema === 'closed' ? closedSchema(schema) : schema);

/** A request that the wire cannot express, or that the model does not take. Nothing is sent. null: it can be sent. */
export function unsendable(
  request: CompletionRequest,
  takesAssistantImages: boolean,
  { secret, accepts }: Pick<WireCall, 'secret' | 'accepts'>,
): Extract<Attempted<never>, { kind: 'failed' }> | null {
  const message =
    problemOf(request) ??
    (takesAssistantImages ? null : imageProblemOf(request)) ??
    modelProblemOf(request, accepts);
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

/** What changes the response when it is left out. */
function modelProblemOf({ stop, tools, responseSchema }: CompletionRequest, accepts: Accepts): string | null {
  if (stop.length > 0 && !accepts.stop) return 'This model takes no stop sequences.';
  if (tools.length > 0 && accepts.tools === 'never') return 'This model takes no tools.';
  if (responseSchema === null || accepts.schema === 'any') return null;
  if (accepts.schema === 'never') return 'This model takes no schema of the response.';
  try {
    closedSchema(responseSchema.schema);
    return null;
  } catch (error) {
    if (!(error instanceof SchemaIsNotClosed)) throw error;
    const place = error.path === '' ? 'the schema itself' : error.path;
    return `This model takes no part of a schema that leaves open what it holds, refers to itself or combines others (allOf): ${place}. Name all properties of objects.`;
  }
}
