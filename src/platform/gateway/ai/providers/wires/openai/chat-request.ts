import type { Accepts } from '../../accepts.types.js';
import type { CompletionRequest, Message, MessagePart } from '../requests.js';
import { schemaFor, temperatureFor } from '../for-model.js';
import { portableId } from '../tool-calls.js';
import { isStrictSchema } from './strict-schema.js';

/** The body of `POST /v1/chat/completions`, without the model. */
export function chatRequestOf(
  request: CompletionRequest,
  accepts: Accepts,
): Readonly<Record<string, unknown>> {
  const { system, messages, maxTokens, stop, tools, toolChoice, responseSchema } = request;
  return {
    messages: [...(system === null ? [] : [{ role: 'system', content: system }]), ...messages.map(messageOf)],
    max_completion_tokens: maxTokens,
    ...temperatureFor(request, accepts),
    ...(stop.length > 0 && { stop }),
    ...(tools.length > 0 && accepts.tools === 'without-reasoning' && { reasoning_effort: 'none' }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(toolChoice !== null && tools.length > 0 && { tool_choice: choiceOf(toolChoice) }),
    ...(responseSchema !== null && {
      response_format: { type: 'json_schema', json_schema: namedSchema(responseSchema, accepts) },
    }),
  };
}

function namedSchema(asked: NonNullable<CompletionRequest['responseSchema']>, accepts: Accepts): object {
  const schema = schemaFor(asked, accepts);
  return { name: asked.name, schema, strict: isStrictSchema(schema) };
}

const choiceOf = (choice: NonNullable<CompletionRequest['toolChoice']>) =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

function messageOf(message: Message): object {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: portableId(message.toolCallId), content: message.content };
  if (message.role === 'user') return { role: 'user', content: message.content.map(partOf) };
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = message.toolCalls.map(({ id, name, arguments: source }) => ({
    id: portableId(id),
    type: 'function',
    function: { name, arguments: source.trim() === '' ? '{}' : source },
  }));
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

const partOf = (part: MessagePart) =>
  part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
