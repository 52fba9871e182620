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
} from '../provider/problem.js';
import type { ProviderCall } from '../provider/provider-call.js';

/** Pixels of the size `1K`. @see https://ai.google.dev/gemini-api/docs/image-generation */
const SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  '1:1': [1_024, 1_024],
  '2:3': [848, 1_264],
  '3:2': [1_264, 848],
  '3:4': [896, 1_200],
  '4:3': [1_200, 896],
  '4:5': [928, 1_152],
  '5:4': [1_152, 928],
  '9:16': [768, 1_376],
  '16:9': [1_376, 768],
  '21:9': [1_584, 672],
};

const FACTORS: Readonly<Record<string, number>> = { '512': 0.5, '1K': 1, '2K': 2, '4K': 4 };

/** The picture that a model for pictures is asked for; null: text alone. @throws ProviderRefuses */
function pictureIn({ responseModalities, imageConfig }: Members): AskedCompletion['picture'] {
  const modalities = asList(responseModalities).map((modality) => asText(modality).toUpperCase());
  if (modalities.length > 0 && !modalities.includes('IMAGE')) return null;
  const { aspectRatio = '1:1', imageSize = '1K' } = asObject(imageConfig);
  const size = SIZES[asText(aspectRatio)];
  const factor = FACTORS[asText(imageSize)];
  if (!size || factor === undefined)
    return invalid('The aspect ratio or the image size is not supported.', 'generationConfig.imageConfig');
  return { width: size[0] * factor, height: size[1] * factor, format: 'png' };
}

const FIELDS = new Set(
  'contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent model labels'.split(
    ' ',
  ),
);
const CONFIG = new Set(
  `candidateCount stopSequences maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs
  logprobs responseMimeType responseSchema responseJsonSchema _responseJsonSchema responseModalities speechConfig imageConfig
  thinkingConfig mediaResolution enableEnhancedCivicAnswers`.split(/\s+/),
);

/** The body of `generateContent`. @throws ProviderRefuses */
export function readContents(exchange: ProviderCall): AskedCompletion {
  const { model, method } = addressed(exchange);
  const body = jsonBody(exchange.call, 'Invalid JSON payload received.');
  const config = asObject(body.generationConfig);
  mustBeKnown(body, FIELDS, '');
  mustBeKnown(config, CONFIG, " at 'generation_config'");
  const prompt = {
    system: textOf(asObject(body.systemInstruction).parts),
    turns: contentsIn(body).map(turnOf),
    tools: toolsIn(body),
    toolChoice: choiceIn(body),
    schema: schemaIn(config),
    maxTokens: asNumber(config.maxOutputTokens),
    stop: asList(config.stopSequences) as string[],
  };
  const found = exchange.provider.models.find(model, exchange.now);
  return {
    model,
    prompt,
    isStreamed: method === 'streamGenerateContent',
    wantsUsage: true,
    cacheable: textOfPrompt(prompt),
    picture: found?.abilities.includes('image') ? pictureIn(config) : null,
  };
}

/** The model and the method in `models/{model}:{method}`. */
export function addressed({ call }: ProviderCall): { readonly model: string; readonly method: string } {
  const address = call.params.call ?? '';
  const colon = address.lastIndexOf(':');
  return { model: address.slice(0, colon), method: address.slice(colon + 1) };
}

function mustBeKnown(members: Members, known: ReadonlySet<string>, where: string): void {
  const unknown = Object.keys(members).find((name) => !known.has(name));
  if (unknown !== undefined)
    invalid(`Invalid JSON payload received. Unknown name "${unknown}"${where}: Cannot find field.`, unknown);
}

function contentsIn({ contents }: Members): readonly Members[] {
  if (!Array.isArray(contents) || contents.length === 0)
    return invalid('* GenerateContentRequest.contents: contents is not specified', 'contents');
  for (const content of contents) {
    const { role, parts } = asObject(content);
    if (role !== undefined && role !== 'user' && role !== 'model')
      return invalid('Please use a valid role: user, model.', 'contents.role');
    if (asList(parts).length === 0)
      return invalid(
        '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.',
        'contents.parts',
      );
  }
  return contents as Members[];
}

const textOf = (parts: unknown): string =>
  asList(parts)
    .map(asObject)
    .map(({ text, functionCall, functionResponse }) => {
      const called = functionCall ?? functionResponse;
      return called === undefined ? asText(text) : JSON.stringify(called);
    })
    .join('');

function turnOf({ role, parts }: Members): Turn {
  const members = asList(parts).map(asObject);
  const files = members.flatMap(({ inlineData }) => (isObject(inlineData) ? [inlineData] : []));
  const isResult = members.some(({ functionResponse }) => functionResponse !== undefined);
  return {
    role: role === 'model' ? 'assistant' : isResult ? 'tool' : 'user',
    text: textOf(parts),
    images: files.filter(({ mimeType }) => asText(mimeType).startsWith('image/')).length,
    audio: files.filter(({ mimeType }) => asText(mimeType).startsWith('audio/')).map(bytesOf),
  };
}

const bytesOf = ({ data }: Members): Buffer =>
  base64(asText(data)) ?? invalid('Base64 decoding failed', 'contents.parts.inlineData.data');

const toolsIn = ({ tools }: Members): readonly OfferedTool[] =>
  asList(tools)
    .flatMap((tool) => asList(asObject(tool).functionDeclarations))
    .map((declaration) => {
      const { name, parametersJsonSchema, parameters = parametersJsonSchema } = asObject(declaration);
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(asText(name)))
        invalid(
          'Invalid function name. Must start with a letter or an underscore.',
          'tools.functionDeclarations.name',
        );
      return { name: asText(name), parameters: (parameters ?? NO_PARAMETERS) as JsonSchema };
    });

function choiceIn({ toolConfig }: Members): ToolChoice {
  const { mode, allowedFunctionNames } = asObject(asObject(toolConfig).functionCallingConfig);
  const [name] = asList(allowedFunctionNames);
  if (mode === 'ANY') return typeof name === 'string' ? { name } : 'required';
  return mode === 'NONE' ? 'none' : 'auto';
}

function schemaIn(config: Members): JsonSchema | null {
  if (config.responseMimeType !== 'application/json') return null;
  const schema = config.responseJsonSchema ?? config._responseJsonSchema ?? config.responseSchema;
  return isObject(schema) ? schema : { type: 'object', properties: { answer: { type: 'string' } } };
}
