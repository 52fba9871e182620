import type { Accepts } from '../../providers/wires/wire.js';
import type {
  CompletionRequest,
  ImageRequest,
  Message,
  TranscriptionRequest,
} from '../../providers/wires/requests.js';
import { aiProviderNamed } from '../../providers/ai-providers.js';
import { openAiImageTokens } from '../../providers/openai/openai-images.js';
import { NO_USAGE, type Usage } from '../../usage/spend/quantities.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';
import { costOf, type Prices } from './prices.js';

export type Estimated =
  | { readonly capability: 'completions'; readonly request: CompletionRequest }
  | {
      readonly capability: 'images';
      readonly provider: string;
      readonly imageSizes: Accepts['imageSizes'];
      readonly request: ImageRequest;
    }
  | {
      readonly capability: 'transcriptions';
      readonly provider: string;
      readonly request: TranscriptionRequest;
    };

/** What a request is expected to cost at most; null: a quantity that it will consume has no price. */
export const estimateOf = (prices: Prices | null, estimated: Estimated): NanoDollars | null =>
  prices && costOf(prices, expectedUsage(prices, estimated));

/** Text of natural languages has 3 to 5 bytes per token; JSON and code have about 3. */
const BYTES_PER_TOKEN = 3;
/** Roles and separators. */
const TOKENS_PER_MESSAGE = 8;
/**
 * The most of current models: 4 784 at Anthropic, 3 779 at OpenAI (1 536 patches × 2.46), 2 240 at Google. Beyond it are the tiles of
 * gpt-4o-mini, and of Gemini 2 for very long images: docs/design/spend.md.
 */
const TOKENS_PER_INPUT_IMAGE = 5_000;

/** What a request is expected to consume at most. */
export function expectedUsage(prices: Prices, estimated: Estimated): Usage {
  switch (estimated.capability) {
    case 'completions':
      return expectedCompletion(estimated.request);
    case 'images':
      return expectedImages(prices, estimated);
    case 'transcriptions':
      return expectedTranscription(prices, estimated.provider, estimated.request);
  }
}

const tokensOf = (...texts: readonly (string | null)[]): number =>
  Math.ceil(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text ?? ''), 0) / BYTES_PER_TOKEN);

function expectedCompletion({
  system,
  messages,
  tools,
  responseSchema,
  maxTokens,
}: CompletionRequest): Usage {
  const described = [...tools, ...(responseSchema ? [responseSchema] : [])].map((one) => JSON.stringify(one));
  const texts = messages.flatMap(textsOf);
  const images = messages.reduce((count, message) => count + imagesOf(message), 0);
  const inputTokens =
    tokensOf(system, ...described, ...texts) +
    messages.length * TOKENS_PER_MESSAGE +
    images * TOKENS_PER_INPUT_IMAGE;
  return { ...NO_USAGE, inputTokens, outputTokens: maxTokens };
}

function textsOf(message: Message): string[] {
  if (message.role === 'tool') return [message.content];
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (message.role === 'user') return texts;
  return [...texts, ...message.toolCalls.flatMap((call) => [call.name, call.arguments])];
}

const imagesOf = (message: Message): number =>
  message.role === 'tool' ? 0 : message.content.filter(({ type }) => type === 'image').length;

function expectedImages(
  prices: Prices,
  { provider, imageSizes, request }: Extract<Estimated, { capability: 'images' }>,
): Usage {
  const { prompt, count } = request;
  const inputTokens = tokensOf(prompt) + TOKENS_PER_MESSAGE;
  if (prices.outputImageTokens === undefined) return { ...NO_USAGE, inputTokens, images: count };
  const { imageTokens = openAiImageTokens } = aiProviderNamed(provider) ?? {};
  const tokens = imageTokens(request, imageSizes);
  return { ...NO_USAGE, inputTokens, outputImageTokens: tokens * count, images: count };
}

/** The lowest rate of speech in Opus, 6 kbit/s (RFC 6716, section 2.1.1); MP3 and AAC have more. */
const LEAST_AUDIO_BYTES_PER_SECOND = 750;
/** What providers count that say nothing else. */
const AUDIO_TOKENS_PER_SECOND = 12;
/** Fast speech. */
const TEXT_TOKENS_PER_SECOND = 5;

function expectedTranscription(prices: Prices, provider: string, request: TranscriptionRequest): Usage {
  const { file, prompt } = request;
  const seconds = Math.ceil(file.bytes.length / LEAST_AUDIO_BYTES_PER_SECOND);
  if (prices.audioHours !== undefined) return { ...NO_USAGE, audioSeconds: seconds };
  const perSecond = aiProviderNamed(provider)?.audioTokensPerSecond ?? AUDIO_TOKENS_PER_SECOND;
  return {
    ...NO_USAGE,
    inputTokens: tokensOf(prompt),
    inputAudioTokens: seconds * perSecond,
    outputTokens: seconds * TEXT_TOKENS_PER_SECOND,
  };
}
