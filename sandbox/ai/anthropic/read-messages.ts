import { NO_PARAMETERS } from '../answers/answer.js';
import type { OfferedTool, ToolChoice, Turn } from '../answers/prompt.js';
import type { JsonSchema } from '../answers/schema-value.js';
import type { AskedCompletion } from '../completions/completion.js';
import {
  asList,
  asObject,
  asText,
  base64,
  invalid,
  isObject,
  jsonBody,
  type Members,
} from '../provider/problem.js';
import type { AiModel } from '../provider/models.js';
import { checkOutputSchema } from './output-schema.js';
import type { ProviderCall } from '../provider/provider-call.js';

const PARAMETERS = new Set(
  `cache_control container context_management inference_geo max_tokens mcp_servers messages metadata model output_config
  service_tier speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p`.split(
    /\s+/,
  ),
);

/** The body of `POST /v1/messages`. @throws ProviderRefuses */
export function readMessages({ call }: ProviderCall): AskedCompletion {
  if (call.headers['anthropic-version'] === undefined) invalid('header is required', 'anthropic-version');
  const body = jsonBody(call, 'The request body is not valid JSON.');
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) invalid('Extra inputs are not permitted', unknown);
  if (asText(body.model) === '') invalid('Field required', 'model');
  const { max_tokens: maxTokens } = body;
  if (maxTokens === undefined) invalid('Field required', 'max_tokens');
  if (!Number.isInteger(maxTokens) || (maxTokens as number) < 1)
    invalid('Input should be greater than or equal to 1', 'max_tokens');
  const prompt = {
    system: textOf(body.system),
    turns: messagesIn(body).map(turnOf),
    tools: toolsIn(body),
    toolChoice: choiceIn(body.tool_choice),
    schema: schemaIn(body),
    maxTokens: maxTokens as number,
    stop: asList(body.stop_sequences) as string[],
  };
  return {
    model: asText(body.model),
    prompt,
    isStreamed: body.stream === true,
    wantsUsage: true,
    cacheable: cacheableIn(body),
    picture: null,
  };
}

export function checkMessages(
  { prompt: { maxTokens } }: AskedCompletion,
  model: AiModel,
  { temperature = 1 }: Members,
): void {
  if (!model.takesTemperature && temperature !== 1)
    invalid('`temperature` is deprecated for this model.', null);
  const limit = model.maxOutputTokens;
  if (maxTokens !== null && maxTokens > limit)
    invalid(
      `${maxTokens} > ${limit}, which is the maximum allowed number of output tokens for ${model.id}`,
      'max_tokens',
    );
}

function messagesIn({ messages }: Members): readonly Members[] {
  if (!Array.isArray(messages) || messages.length === 0)
    return invalid('at least one message is required', 'messages');
  const used = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const { role, content } = asObject(message);
    if (role !== 'user' && role !== 'assistant')
      return invalid("Input should be 'user' or 'assistant'", `messages.${index}.role`);
    for (const block of asList(content).map(asObject)) checkBlock(block, used, index);
    if (content === '' || (Array.isArray(content) && content.length === 0 && role === 'user'))
      return invalid('all messages must have non-empty content', `messages.${index}`);
  }
  return messages as Members[];
}

/** A result must belong to a call of the assistant. */
function checkBlock(
  { type, id, text, tool_use_id: resultOf }: Members,
  used: Set<string>,
  index: number,
): void {
  if (type === 'text' && text === '') invalid('text content blocks must be non-empty', `messages.${index}`);
  if (type === 'tool_use') used.add(asText(id));
  if (type === 'tool_result' && !used.has(asText(resultOf)))
    invalid(
      `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${asText(resultOf)}`,
      `messages.${index}.content`,
    );
}

/** Text of a string or of blocks, with the calls and results of tools. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map(asObject)
    .map((block) => {
      if (block.type === 'tool_use') return asText(block.name) + JSON.stringify(block.input);
      return block.type === 'tool_result' ? textOf(block.content) : asText(block.text);
    })
    .join('');
}

function turnOf({ role, content }: Members): Turn {
  const blocks = asList(content).map(asObject);
  const isResult = blocks.some(({ type }) => type === 'tool_result');
  const images = blocks.filter(({ type }) => type === 'image');
  for (const { source } of images) mustBeImage(asObject(source));
  return {
    role: role === 'assistant' ? 'assistant' : isResult ? 'tool' : 'user',
    text: textOf(content),
    images: images.length,
    audio: [],
  };
}

function mustBeImage({ type, media_type: mediaType, data }: Members): void {
  if (type !== 'base64') return;
  if (!['image/jpeg', 'image/png', 'image/gif', 'image/webp'].includes(asText(mediaType)))
    invalid(
      "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
      'messages.image.source.media_type',
    );
  if (base64(asText(data)) === null) invalid('Could not process image', 'messages.image.source');
}

function toolsIn({ tools }: Members): readonly OfferedTool[] {
  return asList(tools).map((tool, index) => {
    const { name, input_schema: schema = NO_PARAMETERS } = asObject(tool);
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(asText(name)))
      invalid("String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", `tools.${index}.name`);
    return { name: asText(name), parameters: schema as JsonSchema };
  });
}

function choiceIn(choice: unknown): ToolChoice {
  const { type, name } = asObject(choice);
  if (type === 'tool') return { name: asText(name) };
  if (type === 'any') return 'required';
  return type === 'none' ? 'none' : 'auto';
}

function schemaIn({ output_config: config }: Members): JsonSchema | null {
  const { type, schema } = asObject(asObject(config).format);
  if (type !== 'json_schema' || !isObject(schema)) return null;
  checkOutputSchema(schema);
  return schema;
}

/** Everything up to the last block that is marked; tools come first. */
function cacheableIn({ system, messages, tools }: Members): string | null {
  const blocks = [
    ...asList(tools).map((tool) => ({ ...asObject(tool), text: JSON.stringify(tool) })),
    ...blocksOf(system),
    ...asList(messages).flatMap((message) => blocksOf(asObject(message).content)),
  ];
  const last = blocks.findLastIndex((block: Members) => block.cache_control !== undefined);
  return last < 0
    ? null
    : blocks
        .slice(0, last + 1)
        .map((block: Members) => asText(block.text))
        .join('\n');
}

const blocksOf = (content: unknown): readonly Members[] =>
  typeof content === 'string' ? [{ text: content }] : asList(content).map(asObject);
