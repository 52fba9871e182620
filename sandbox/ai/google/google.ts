import { randomBytes } from 'node:crypto';
import type { CompletionWire } from '../completions/completion.js';
import { completion } from '../completions/complete.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import { asList, asObject, asText } from '../provider/body.js';
import type { ModelDraft } from '../provider/models.js';
import { invalid, refuse } from '../provider/problem.js';
import { AiProvider, type AiWorld } from '../provider/provider.js';
import { type ProviderHandler, providerRoute } from '../provider/provider-call.js';
import { listModels, oneModel } from './models.js';
import { googleProblem } from './problems.js';
import { addressed, readContents } from './read-contents.js';
import { content, contentEvents } from './write-contents.js';

const MODELS: readonly ModelDraft[] = [
  {
    id: 'gemini-3.5-flash',
    abilities: ['completion', 'transcription'],
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
  },
  {
    id: 'gemini-3.8-flash',
    abilities: ['completion', 'transcription'],
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
  },
  {
    id: 'gemini-2.5-flash',
    abilities: ['completion', 'transcription'],
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
    releasedAt: '2025-06-17',
  },
  {
    id: 'gemini-3.1-flash-image',
    abilities: ['image', 'completion'],
    contextWindow: 65_536,
    maxOutputTokens: 32_768,
  },
  {
    id: 'gemini-3.1-flash-lite-image',
    abilities: ['image', 'completion'],
    contextWindow: 65_536,
    maxOutputTokens: 32_768,
  },
];

const contentsWire: CompletionWire = {
  read: readContents,
  refusesWithoutWords: true,
  whole: content,
  events: contentEvents,
  // An error comes as bare JSON, not as an event.
  errorEvent: (problem, { provider, requestId, now }) =>
    `${JSON.stringify(provider.nature.write(problem, { requestId, now }).body, null, 2)}\n`,
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
    asList(asObject(each).parts)
      .map((part) => asText(asObject(part).text))
      .join(''),
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

export const google = (world: AiWorld, key: string): AiProvider =>
  new AiProvider(world, {
    name: 'google',
    displayName: 'Google AI',
    key,
    models: MODELS,
    keyIn,
    textOf,
    write: googleProblem,
    newRequestId: () => randomBytes(16).toString('base64url'),
    requestIdHeader: null,
    limitHeaders: () => ({}),
    billsCacheWrites: false,
  });

/** The official client asks version 1 unless it is told another. */
export const googleRoutes = (provider: AiProvider): Route[] =>
  ['/v1beta', '/v1'].flatMap((version) => [
    providerRoute(provider, 'POST', `${version}/models/:call`, callModel),
    providerRoute(provider, 'GET', `${version}/models`, listModels),
    providerRoute(provider, 'GET', `${version}/models/:model`, oneModel),
  ]);
