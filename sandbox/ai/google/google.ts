import { randomBytes } from 'node:crypto';
import type { CompletionWire } from '../completions/completion.js';
import { completion } from '../completions/complete.js';
import type { Call } from '../../wire/call.js';
import { json } from '../../wire/response.js';
import { asList, asObject, invalid, refuse, textOfContent } from '../provider/problem.js';
import type { AiModel, ModelDraft } from '../provider/models.js';
import type { ProviderNature } from '../provider/provider.js';
import { type ProviderHandler, providerRoute } from '../provider/provider-call.js';
import { googleProblem } from './problems.js';
import { addressed, readContents } from './read-contents.js';
import { content, contentEvents } from './write-contents.js';

const HEARING = {
  abilities: ['completion', 'transcription'],
  contextWindow: 1_048_576,
  maxOutputTokens: 65_536,
} as const;
const DRAWING = {
  abilities: ['image', 'completion'],
  contextWindow: 65_536,
  maxOutputTokens: 32_768,
} as const;

const MODELS: readonly ModelDraft[] = [
  { id: 'gemini-3.5-flash', ...HEARING },
  { id: 'gemini-3.8-flash', ...HEARING },
  { id: 'gemini-2.5-flash', ...HEARING, releasedAt: '2025-06-17' },
  { id: 'gemini-3.1-flash-image', ...DRAWING },
  { id: 'gemini-3.1-flash-lite-image', ...DRAWING },
];

const contentsWire: CompletionWire = {
  read: readContents,
  refusesWithoutWords: true,
  whole: content,
  events: contentEvents,
  // An error comes as bare JSON, not as an event.
  errorEvent: (body) => `${JSON.stringify(body, null, 2)}\n`,
};

/** `POST /v1beta/models/{model}:{method}`. */
const callModel: ProviderHandler = (exchange) => {
  const { method } = addressed(exchange);
  if (method !== 'generateContent' && method !== 'streamGenerateContent') refuse({ kind: 'no-address' });
  if (method === 'streamGenerateContent' && exchange.call.query.get('alt') !== 'sse')
    invalid('Only streams with alt=sse are simulated.', 'alt');
  return completion(contentsWire)(exchange);
};

const keyIn = ({ headers }: Call): string | null => {
  const key = headers['x-goog-api-key'];
  return typeof key === 'string' && key !== '' ? key : null;
};

function textOf(call: Call): string | undefined {
  const texts = asList(asObject(call.json?.value).contents).map((each) =>
    textOfContent(asObject(each).parts),
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

const DEFAULT_SIZE = 50;

/** `GET /v1beta/models`: in pages; the token is the position. */
const listModels: ProviderHandler = (exchange) => {
  exchange.authenticate();
  const { call, listed, provider } = exchange;
  const start = Number(call.query.get('pageToken') ?? 0);
  const asked = Number(call.query.get('pageSize') ?? DEFAULT_SIZE);
  if (!Number.isInteger(start) || start < 0 || !Number.isInteger(asked))
    invalid('Invalid page token or page size.', 'pageToken');
  const end = start + Math.min(asked, provider.settings.modelsPerPage);
  return json(200, {
    models: listed.slice(start, end).map(view),
    ...(end < listed.length && { nextPageToken: String(end) }),
  });
};

const view = (model: AiModel): unknown => ({
  name: `models/${model.id}`,
  version: '001',
  displayName: model.name,
  description: '',
  inputTokenLimit: model.contextWindow,
  outputTokenLimit: model.maxOutputTokens,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
});

export const google: ProviderNature = {
  name: 'google',
  displayName: 'Google AI',
  prefix: 'google-ai',
  standsFor: 'generativelanguage.googleapis.com',
  keyVariable: 'GEMINI_API_KEY',
  models: MODELS,
  keyIn,
  textOf,
  write: googleProblem,
  newRequestId: () => randomBytes(16).toString('base64url'),
  requestIdHeader: null,
  limitHeaders: () => ({}),
  billsCacheWrites: false,
  // The official client asks version 1 unless it is told another.
  routes: (provider) =>
    ['/v1beta', '/v1'].flatMap((version) => [
      providerRoute(provider, 'POST', `${version}/models/:call`, callModel),
      providerRoute(provider, 'GET', `${version}/models`, listModels),
    ]),
};
