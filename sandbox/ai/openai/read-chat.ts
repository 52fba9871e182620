import { NO_PARAMETERS } from '../answers/answer.js';
import { type OfferedTool, textOfPrompt, type ToolChoice, type Turn } from '../answers/prompt.js';
import type { JsonSchema } from '../answers/schema-value.js';
import type { AskedCompletion } from '../completions/completion.js';
import {
  asList,
  asNumber,
  asObject,
  asText,
  base64,
  invalid,
  isObject,
  jsonBody,
  type Members,
  textOfContent,
} from '../provider/problem.js';
import type { AiModel } from '../provider/models.js';
import type { ProviderCall } from '../provider/provider-call.js';

/** Parameters of the published schema. A misspelt one is refused. */
const PARAMETERS = new Set(
  `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata
  modalities model moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention
  reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature
  tool_choice tools top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
);
/** Of OpenRouter alone. */
const MORE_PARAMETERS = new Set(
  'models provider reasoning route transforms usage plugins image_config'.split(' '),
);

/** The body of `POST /v1/chat/completions`. @throws ProviderRefuses */
export function readChat({ call, provider }: ProviderCall): AskedCompletion {
  const body = jsonBody(call, 'We could not parse the JSON body of your request.');
  const unknown = Object.keys(body).find(
    (name) => !PARAMETERS.has(name) && !(provider.network === 'openrouter' && MORE_PARAMETERS.has(name)),
  );
  if (unknown !== undefined) invalid(`Unrecognized request argument supplied: ${unknown}`, null);
  const model =
    typeof body.model === 'string' ? body.model : invalid('you must provide a model parameter', null);
  const messages = messagesIn(body);
  const prompt = {
    system: messages
      .filter(isInstruction)
      .map(({ content }) => textOfContent(content))
      .join('\n'),
    turns: messages.filter((message) => !isInstruction(message)).map(turnOf),
    tools: toolsIn(body),
    toolChoice: choiceIn(body.tool_choice),
    schema: schemaIn(body.response_format),
    maxTokens: asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens),
    stop: typeof body.stop === 'string' ? [body.stop] : (asList(body.stop) as string[]),
  };
  return {
    model,
    prompt,
    isStreamed: body.stream === true,
    wantsUsage: asObject(body.stream_options).include_usage === true || asObject(body.usage).include === true,
    cacheable: textOfPrompt(prompt),
    picture: asList(body.modalities).includes('image') ? { width: 1024, height: 1024, format: 'png' } : null,
  };
}

export function checkChat({ prompt }: AskedCompletion, model: AiModel, body: Members): void {
  const { maxTokens, tools } = prompt;
  if (model.reasons && body.max_tokens !== undefined) {
    invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    );
  }
  checkParameters(model, body, tools.length > 0);
  if (maxTokens === null || maxTokens <= model.maxOutputTokens) return;
  const most = `This model supports at most ${model.maxOutputTokens} completion tokens`;
  invalid(`max_tokens is too large: ${maxTokens}. ${most}, whereas you provided ${maxTokens}.`, 'max_tokens');
}

/** In the words of the API: openai-openapi issue 541, litellm pull request 34569. */
function checkParameters(model: AiModel, body: Members, hasTools: boolean): void {
  const { temperature = 1, reasoning_effort: effort } = body;
  if (!model.takesTemperature && temperature !== 1)
    invalid(
      `Unsupported value: 'temperature' does not support ${asNumber(temperature) ?? 0} with this model. Only the default (1) value is supported.`,
      'temperature',
      'unsupported_value',
    );
  if (!model.reasons && effort !== undefined)
    invalid('Unrecognized request argument supplied: reasoning_effort', null);
  if (hasTools && model.toolsNeedNoReasoning && effort !== 'none')
    invalid(
      `Function tools with reasoning_effort are not supported for ${model.id} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      'reasoning_effort',
    );
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

function messagesIn({ messages }: Members): readonly Members[] {
  if (!Array.isArray(messages) || messages.length === 0)
    return invalid("Invalid 'messages': empty array. Expected an array with minimum length 1.", 'messages');
  const called = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || !ROLES.includes(asText(message.role)))
      return invalid(`Invalid value: '${asText(asObject(message).role)}'.`, `messages[${index}].role`);
    for (const toolCall of asList(message.tool_calls)) called.add(asText(asObject(toolCall).id));
    if (message.role === 'tool' && !called.has(asText(message.tool_call_id)))
      invalid(
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        `messages[${index}].role`,
      );
  }
  return messages as Members[];
}

const isInstruction = ({ role }: Members): boolean => role === 'system' || role === 'developer';

function turnOf({ role, content, tool_calls: toolCalls }: Members): Turn {
  const parts = asList(content).map(asObject);
  const called = toolCalls === undefined ? '' : JSON.stringify(toolCalls);
  return {
    role: role as Turn['role'],
    text: textOfContent(content) + called,
    images: parts.filter(({ type }) => type === 'image_url').length,
    audio: parts
      .flatMap(({ input_audio: audio }) => base64(asText(asObject(audio).data)) ?? [])
      .filter(isFull),
  };
}

const isFull = (bytes: Buffer): boolean => bytes.length > 0;

function toolsIn({ tools }: Members): readonly OfferedTool[] {
  return asList(tools).map((tool, index) => {
    const { name, parameters = NO_PARAMETERS } = asObject(asObject(tool).function);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(asText(name)))
      invalid(
        `Invalid 'tools[${index}].function.name': string does not match pattern.`,
        `tools[${index}].function.name`,
      );
    return { name: asText(name), parameters: parameters as JsonSchema };
  });
}

function choiceIn(choice: unknown): ToolChoice {
  if (isObject(choice)) return { name: asText(asObject(choice.function).name) };
  return choice === 'none' || choice === 'required' ? choice : 'auto';
}

function schemaIn(format: unknown): JsonSchema | null {
  const { type, json_schema: named } = asObject(format);
  if (type === 'json_object') return { type: 'object', properties: { answer: { type: 'string' } } };
  if (type !== 'json_schema') return null;
  const { name, schema } = asObject(named);
  if (asText(name) === '')
    invalid(
      "Missing required parameter: 'response_format.json_schema.name'.",
      'response_format.json_schema.name',
      'missing_required_parameter',
    );
  return isObject(schema) ? schema : {};
}
