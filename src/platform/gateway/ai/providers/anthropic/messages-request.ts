import type { Accepts } from '../wires/wire.js';
import type { CompletionRequest, Message, MessagePart } from '../wires/requests.js';
import { schemaFor, temperatureFor } from '../wires/unsendable.js';
import { argumentsOf, portableId } from '../wires/finish.js';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly object[];
}

/** The body of `POST /v1/messages`, without the model. */
export function messagesRequestOf(
  request: CompletionRequest,
  accepts: Accepts,
): Readonly<Record<string, unknown>> {
  const { system, messages, maxTokens, stop, tools, toolChoice, responseSchema } = request;
  return {
    max_tokens: maxTokens,
    ...(system !== null && system !== '' && { system }),
    messages: turnsOf(messages),
    ...temperatureFor(request, accepts),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    }),
    ...(toolChoice !== null && tools.length > 0 && { tool_choice: choiceOf(toolChoice) }),
    ...(responseSchema !== null && {
      output_config: { format: { type: 'json_schema', schema: schemaFor(responseSchema, accepts) } },
    }),
  };
}

function choiceOf(choice: NonNullable<CompletionRequest['toolChoice']>): object {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

/** Results of tools must be in the turn that follows their calls, so messages of one role become one turn. */
function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = turnOf(message);
    const last = turns.at(-1);
    if (turn.content.length === 0) continue;
    if (last?.role === turn.role)
      turns.splice(-1, 1, { ...last, content: [...last.content, ...turn.content] });
    else turns.push(turn);
  }
  return turns;
}

function turnOf(message: Message): Turn {
  if (message.role === 'tool') {
    const { toolCallId, content } = message;
    const result = { type: 'tool_result', tool_use_id: portableId(toolCallId), content };
    return { role: 'user', content: [result] };
  }
  const content = message.content.filter(isNotEmpty).map(blockOf);
  if (message.role === 'user') return { role: 'user', content };
  const calls = message.toolCalls.map(({ id, name, arguments: source }) => ({
    type: 'tool_use',
    id: portableId(id),
    name,
    input: argumentsOf(source),
  }));
  return { role: 'assistant', content: [...content, ...calls] };
}

/** The provider refuses empty text. */
const isNotEmpty = (part: MessagePart) => part.type !== 'text' || part.text !== '';

const blockOf = (part: MessagePart) =>
  part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } };
