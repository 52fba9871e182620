import type { OutboundHeaders } from '#libs/outbound-http';
import { ACCEPTS, type AiProviderDeclaration, OTHER_KINDS } from '../ai-provider.types.js';
import { CompletionWire } from '../wires/completion-wire.js';
import { posted, type WireRequest } from '../wires/exchange.js';
import { maxBytesOfImage, mostImagesOf } from '../wires/image-bytes.js';
import { allModels, type ModelsPage } from '../wires/model-pages.js';
import type { CompletionRequest, ImageRequest } from '../wires/requests.js';
import { count, isRecord, list, type Members, record, text } from '../wires/values.js';
import type { Asked, Attempted, Calling, GeneratedImage, ListedModel, WireCall } from '../wires/wire.js';
import { generateRequestOf } from './generate-request.js';
import { completionOf, requestIdOf } from './generate-response.js';
import { GenerateStream } from './generate-stream.js';
import { googleFailure } from './google-failures.js';
import { googleImageTokens, imageRequestOf, imageResponseOf, together } from './google-images.js';

const NAME = /^models\/(.+)$/;
const METHOD = 'generateContent';

/**
 * `GET /v1beta/models`: `{models: [{name, displayName, inputTokenLimit, outputTokenLimit, supportedGenerationMethods}], nextPageToken}`.
 * Models that this wire cannot call, for example of embeddings, are left out. null: not readable.
 */
function modelsPageIn(body: unknown): ModelsPage | null {
  if (!isRecord(body) || 'error' in body) return null;
  // An empty list is left out in JSON of protocol buffers.
  const { models = [], nextPageToken } = body;
  if (!Array.isArray(models)) return null;
  return {
    models: list(models).map(record).filter(isCallable).map(modelOf),
    next: text(nextPageToken),
  };
}

const isCallable = ({ supportedGenerationMethods: methods }: Members) =>
  !Array.isArray(methods) || methods.includes(METHOD);

const modelOf = (item: Members): ListedModel => ({
  id: NAME.exec(text(item.name) ?? '')?.[1] ?? '',
  name: text(item.displayName),
  contextWindow: count(item.inputTokenLimit),
  maxOutputTokens: count(item.outputTokenLimit),
  retiresAt: null,
});

/** Google's Gemini API (ai.google.dev/api/generate-content). Keys are in a header: an address gets into logs. */
export class GoogleWire extends CompletionWire {
  protected override readonly takesAssistantImages = true;
  override readonly requestId = requestIdOf;
  override readonly failure = googleFailure;
  protected override readonly completionIn = completionOf;

  override fold(headers: OutboundHeaders, secret: string): GenerateStream {
    return new GenerateStream(headers, secret);
  }

  /** A response has one image, so several are several requests at a time: as many as all of the images certainly fit. */
  async generateImages(call: WireCall, request: ImageRequest): Promise<Attempted<readonly GeneratedImage[]>> {
    const drawing = {
      ...modelCall(call, 'generateContent', imageRequestOf(request, call.accepts)),
      maxBytes: maxBytesOfImage(request),
      hasLongStrings: true,
    };
    const draw = () => this.attempt(call, drawing, (reply) => imageResponseOf(reply, call.secret));
    return together(await Promise.all(Array.from({ length: mostImagesOf(request) }, draw)));
  }

  listModels(call: Calling): Promise<Asked<readonly ListedModel[]>> {
    return allModels(this.http, call, {
      headers: authorized(call),
      path: (after) =>
        `/v1beta/models?pageSize=1000${after === null ? '' : `&pageToken=${encodeURIComponent(after)}`}`,
      read: modelsPageIn,
      failure: googleFailure,
    });
  }

  protected completionCall(call: WireCall, request: CompletionRequest, isStreamed: boolean): WireRequest {
    const method = isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return modelCall(call, method, generateRequestOf(request, call.accepts));
  }
}

const authorized = ({ secret }: Calling) => ({ 'x-goog-api-key': secret });

const modelCall = (call: WireCall, method: string, body: object): WireRequest =>
  posted(`/v1beta/models/${encodeURIComponent(call.model)}:${method}`, authorized(call), body);

export const google: AiProviderDeclaration = {
  name: 'google',
  address: {
    variable: 'GOOGLE_AI_URL',
    description: 'Base address of the Gemini API, without /v1beta.',
    default: 'https://generativelanguage.googleapis.com',
  },
  wire: GoogleWire,
  accepts: { ...ACCEPTS, maxTemperature: 2, imageSizes: 'ratio-and-size', signatures: true },
  maxTemperature: 2,
  acceptsByName: [
    [/^gemini-[12]\b/, { signatures: false }],
    [/^gemini-2.*-image/, { imageSizes: 'ratio' }],
  ],
  serves: [
    [OTHER_KINDS, null],
    [/^gemini.*-image/, ['images']],
    [/audio|omni/, null],
    [/^(gemini|gemma)-/, ['completions']],
    [/^claude/, null],
  ],
  withoutReasoning: /^(gemini-1|gemini-2\.0|gemma-[123])/,
  imageTokens: googleImageTokens,
  audioTokensPerSecond: 32,
  // It lists the price of audio only where it differs from that of text.
  pricedAs: [{ quantity: 'inputAudioTokens', as: 'inputTokens' }],
};
