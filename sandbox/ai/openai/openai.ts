import { randomBytes } from 'node:crypto';
import { completion } from '../completions/complete.js';
import type { Usage } from '../../networks/kit/state/rate-windows.js';
import type { Call } from '../../wire/call.js';
import { json } from '../../wire/response.js';
import type { CompletionWire } from '../completions/completion.js';
import { asObject, textOfMessages } from '../provider/problem.js';
import type { AiModel, ModelDraft } from '../provider/models.js';
import type { ProviderNature } from '../provider/provider.js';
import { type ProviderHandler, providerRoute } from '../provider/provider-call.js';
import { generateImages } from './images.js';
import { openaiProblem } from './problems.js';
import { checkChat, readChat } from './read-chat.js';
import { transcribe } from './transcriptions.js';
import { chatCompletion, chatEvents } from './write-chat.js';

const MODELS: readonly ModelDraft[] = [
  {
    id: 'gpt-5.4',
    contextWindow: 1_050_000,
    maxOutputTokens: 128_000,
    reasons: true,
    snapshot: 'gpt-5.4-2026-03-05',
  },
  { id: 'gpt-5.4-mini', contextWindow: 400_000, maxOutputTokens: 128_000, reasons: true },
  {
    id: 'gpt-6-luna',
    contextWindow: 1_050_000,
    maxOutputTokens: 128_000,
    reasons: true,
    takesTemperature: false,
    toolsNeedNoReasoning: true,
    releasedAt: '2026-09-10',
  },
  {
    id: 'gpt-4o-mini',
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
    snapshot: 'gpt-4o-mini-2024-07-18',
    releasedAt: '2024-07-18',
  },
  { id: 'gpt-image-2', abilities: ['image'] },
  { id: 'gpt-image-1-mini', abilities: ['image'], releasedAt: '2025-10-06', retiresAt: '2026-12-01' },
  { id: 'gpt-image-1.5', abilities: ['image'], releasedAt: '2025-12-16', retiresAt: '2026-12-01' },
  { id: 'gpt-transcribe', abilities: ['transcription'], audioUnit: 'seconds' },
  { id: 'gpt-4o-transcribe', abilities: ['transcription'], contextWindow: 16_000, releasedAt: '2025-03-20' },
  {
    id: 'gpt-4o-mini-transcribe',
    abilities: ['transcription'],
    contextWindow: 16_000,
    releasedAt: '2025-03-20',
  },
  { id: 'whisper-1', abilities: ['transcription'], audioUnit: 'seconds', releasedAt: '2023-02-27' },
];

export const bearerKey = ({ bearerToken }: Call): string | null => bearerToken;

/** Of a chat, an image or a transcription. */
export function textOfCall({ json: body }: Call): string | undefined {
  const { prompt, messages } = asObject(body?.value);
  return typeof prompt === 'string' ? prompt : textOfMessages(messages);
}

/** Durations, as `6m0s`. */
function limitHeaders({ limit, remaining, reset }: Usage, now: Date): Record<string, string> {
  const milliseconds = Math.max(0, reset * 1_000 - now.getTime());
  const wait = milliseconds < 1_000 ? `${milliseconds}ms` : `${Math.floor(milliseconds / 1_000)}s`;
  return {
    'x-ratelimit-limit-requests': String(limit),
    'x-ratelimit-remaining-requests': String(remaining),
    'x-ratelimit-reset-requests': wait,
    'openai-processing-ms': '1',
    'openai-version': '2020-10-01',
  };
}

export const chatWire: CompletionWire = {
  read: readChat,
  check: (asked, model, { call }) => checkChat(asked, model, asObject(call.json?.value)),
  whole: chatCompletion,
  events: chatEvents,
  errorEvent: (body) => `data: ${JSON.stringify(body)}\n\n`,
};

/** `GET /v1/models`: without pages. A model that is retired is not listed. */
const listModels: ProviderHandler = (exchange) => {
  exchange.authenticate();
  return json(200, { object: 'list', data: exchange.listed.map(modelView) });
};

const modelView = ({ id, releasedAt, retiresAt }: AiModel): unknown => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(releasedAt) / 1_000),
  owned_by: 'system',
  shutdown_date: retiresAt,
});

export const openai: ProviderNature = {
  name: 'openai',
  displayName: 'OpenAI',
  prefix: 'openai',
  standsFor: 'api.openai.com',
  keyVariable: 'OPENAI_API_KEY',
  models: MODELS,
  keyIn: bearerKey,
  textOf: textOfCall,
  write: openaiProblem,
  newRequestId: () => `req_${randomBytes(16).toString('hex')}`,
  requestIdHeader: 'x-request-id',
  limitHeaders,
  billsCacheWrites: false,
  routes: (provider) => [
    providerRoute(provider, 'POST', '/v1/chat/completions', completion(chatWire)),
    providerRoute(provider, 'POST', '/v1/images/generations', generateImages),
    providerRoute(provider, 'POST', '/v1/audio/transcriptions', transcribe),
    providerRoute(provider, 'GET', '/v1/models', listModels),
  ],
};
