import { randomBytes } from 'node:crypto';
import type { Accepts } from '../wires/wire.js';
import { schemaFor, temperatureFor } from '../wires/unsendable.js';
import type { CompletionRequest, Message, MessagePart } from '../wires/requests.js';
import { argumentsOf } from '../wires/finish.js';
import { isRecord, json, text } from '../wires/values.js';

/**
 * Gemini 3 refuses a conversation whose tool calls come back without the signature of the thoughts that led to them
 * (ai.google.dev/gemini-api/docs/thought-signatures). The gateway keeps no conversations, so the id of a call carries it.
 */
interface GoogleCallId {
  /** Google's own id; null: it gave none. */
  readonly native: string | null;
  readonly signature: string | null;
}

const PREFIX = 'gc_';

export function callIdOf({ native, signature }: GoogleCallId): string {
  const nonce = native === null ? randomBytes(8).toString('hex') : '';
  return PREFIX + Buffer.from(JSON.stringify([native, signature, nonce])).toString('base64url');
}

/** null for a call of another provider. */
export function readCallId(id: string): GoogleCallId | null {
  if (!id.startsWith(PREFIX)) return null;
  const parts = json(Buffer.from(id.slice(PREFIX.length), 'base64url').toString('utf8'));
  return Array.isArray(parts) ? { native: text(parts[0]), signature: text(parts[1]) } : null;
}

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly object[];
}

/** For calls of other providers in a conversation that continues here, as the page about thought signatures says. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The body of `generateContent` and `streamGenerateContent`. */
export function generateRequestOf(
  request: CompletionRequest,
  accepts: Accepts,
): Readonly<Record<string, unknown>> {
  const { system, messages, tools, toolChoice } = request;
  return {
    contents: contentsOf(messages, accepts.signatures),
    ...(system !== null && system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length > 0 && {
      tools: [
        {
          functionDeclarations: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          })),
        },
      ],
    }),
    ...(toolChoice !== null &&
      tools.length > 0 && {
        toolConfig: { functionCallingConfig: choiceOf(toolChoice) },
      }),
    generationConfig: configOf(request, accepts),
  };
}

function configOf(request: CompletionRequest, accepts: Accepts): object {
  const { maxTokens, stop, responseSchema } = request;
  return {
    maxOutputTokens: maxTokens,
    ...temperatureFor(request, accepts),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(responseSchema !== null && {
      responseMimeType: 'application/json',
      responseJsonSchema: schemaFor(responseSchema, accepts),
    }),
  };
}

function choiceOf(choice: NonNullable<CompletionRequest['toolChoice']>): object {
  if (typeof choice !== 'string') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice] };
}

/** Results of parallel calls belong in one content, so messages of one role become one. */
function contentsOf(messages: readonly Message[], needsSignatures: boolean): Content[] {
  const contents: Content[] = [];
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id, name } of message.toolCalls) names.set(id, name);
    const content = contentOf(message, names, needsSignatures);
    const last = contents.at(-1);
    if (content.parts.length === 0) continue;
    if (last?.role === content.role)
      contents.splice(-1, 1, { ...last, parts: [...last.parts, ...content.parts] });
    else contents.push(content);
  }
  return contents;
}

function contentOf(message: Message, names: ReadonlyMap<string, string>, needsSignatures: boolean): Content {
  if (message.role === 'tool') {
    const { toolCallId, content } = message;
    const id = readCallId(toolCallId)?.native;
    const functionResponse = {
      ...(id && { id }),
      name: names.get(toolCallId),
      response: responseOf(content),
    };
    return { role: 'user', parts: [{ functionResponse }] };
  }
  const parts = message.content.filter(isNotEmpty).map(partOf);
  if (message.role === 'user') return { role: 'user', parts };
  return { role: 'model', parts: [...parts, ...callPartsOf(message.toolCalls, needsSignatures)] };
}

/** Of parallel calls, only the first has a signature. */
function callPartsOf(
  calls: Extract<Message, { role: 'assistant' }>['toolCalls'],
  needsSignatures: boolean,
): object[] {
  const ids = calls.map(({ id }) => readCallId(id));
  const isUnsigned = needsSignatures && ids.every((id) => (id?.signature ?? null) === null);
  return calls.map(({ name, arguments: source }, index) => {
    const { native, signature } = ids[index] ?? { native: null, signature: null };
    const thoughtSignature = signature ?? (isUnsigned && index === 0 ? NO_SIGNATURE : null);
    return {
      functionCall: { ...(native && { id: native }), name, args: argumentsOf(source) },
      ...(thoughtSignature && { thoughtSignature }),
    };
  });
}

/** The provider takes objects only. */
function responseOf(content: string): object {
  const value = json(content);
  return isRecord(value) ? value : { result: content };
}

const isNotEmpty = (part: MessagePart) => part.type !== 'text' || part.text !== '';

const partOf = (part: MessagePart) =>
  part.type === 'text' ? { text: part.text } : { inlineData: { mimeType: part.mediaType, data: part.data } };
