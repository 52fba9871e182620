import type { Accepts } from '../wires/wire.js';
import { schemaFor, temperatureFor } from '../wires/unsendable.js';
import type { CompletionRequest, Message, MessagePart } from '../wires/requests.js';
import { portableId } from '../wires/finish.js';
import { isRecord, list } from '../wires/values.js';

const MAX_DEPTH = 32;

/**
 * Whether OpenAI accepts the schema with `strict: true`: each object lists all its properties as required and allows no others
 * (developers.openai.com, guides/structured-outputs). It refuses other schemas in strict mode; without, they only guide the model.
 */
function isStrictSchema(schema: unknown, depth = 0): boolean {
  if (!isRecord(schema) || depth > MAX_DEPTH) return false;
  const { properties, items, anyOf, $defs, required } = schema;
  const isObject = schema.type === 'object' || properties !== undefined;
  if (isObject && !hasOnlyRequired(properties, required, schema.additionalProperties)) return false;
  if ('allOf' in schema || 'oneOf' in schema || 'not' in schema || 'patternProperties' in schema)
    return false;
  const inner = [
    ...Object.values(isRecord(properties) ? properties : {}),
    ...Object.values(isRecord($defs) ? $defs : {}),
    ...list(anyOf),
    ...(items === undefined ? [] : [items]),
  ];
  return inner.every((one) => isStrictSchema(one, depth + 1));
}

const hasOnlyRequired = (properties: unknown, required: unknown, additional: unknown) =>
  additional === false &&
  isRecord(properties) &&
  Object.keys(properties).every((name) => list(required).includes(name));

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
