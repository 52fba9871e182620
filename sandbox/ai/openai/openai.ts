import { randomBytes } from 'node:crypto';
import { completion } from '../completions/complete.js';
import type { Usage } from '../../networks/kit/state/rate-windows.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import { asList, asObject, asText } from '../provider/body.js';
import type { ModelDraft } from '../provider/models.js';
import { AiProvider, type AiWorld } from '../provider/provider.js';
import { providerRoute } from '../provider/provider-call.js';
import { chatWire, openrouterWire } from './chat.js';
import { generateImages } from './images.js';
import { listModels, listOpenrouterModels, oneModel, ownKey } from './models.js';
import { openaiProblem } from './problems.js';
import { openrouterProblem } from './openrouter-problems.js';
import { transcribe } from './transcriptions.js';

const OPENAI_MODELS: readonly ModelDraft[] = [
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

const OPENROUTER_MODELS: readonly ModelDraft[] = [
  { id: 'openai/gpt-5.4-mini', contextWindow: 400_000, maxOutputTokens: 128_000 },
  { id: 'anthropic/claude-opus-5.5', contextWindow: 1_000_000, maxOutputTokens: 128_000 },
  { id: 'google/gemini-3.5-flash', contextWindow: 1_000_000, maxOutputTokens: 65_536 },
  { id: 'google/gemini-3.1-flash-lite-image', abilities: ['image', 'completion'] },
];

const keyIn = ({ bearerToken }: Call): string | null => bearerToken;

/** Of a chat, an image or a transcription. */
function textOf(call: Call): string | undefined {
  const { prompt, messages } = asObject(call.json?.value);
  if (typeof prompt === 'string') return prompt;
  const texts = asList(messages).map((message) => {
    const { content } = asObject(message);
    return typeof content === 'string'
      ? content
      : asList(content)
          .map((part) => asText(asObject(part).text))
          .join('');
  });
  return texts.length === 0 ? undefined : texts.join('\n');
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

export const openai = (world: AiWorld, key: string): AiProvider =>
  new AiProvider(world, {
    name: 'openai',
    displayName: 'OpenAI',
    key,
    models: OPENAI_MODELS,
    keyIn,
    textOf,
    write: openaiProblem,
    newRequestId: () => `req_${randomBytes(16).toString('hex')}`,
    requestIdHeader: 'x-request-id',
    limitHeaders,
    billsCacheWrites: false,
  });

export const openrouter = (world: AiWorld, key: string): AiProvider =>
  new AiProvider(world, {
    name: 'openrouter',
    displayName: 'OpenRouter',
    key,
    models: OPENROUTER_MODELS,
    keyIn,
    textOf,
    write: openrouterProblem,
    newRequestId: () => `gen-${randomBytes(16).toString('hex')}`,
    requestIdHeader: 'x-request-id',
    limitHeaders: () => ({}),
    billsCacheWrites: false,
  });

export const openaiRoutes = (provider: AiProvider): Route[] => [
  providerRoute(provider, 'POST', '/v1/chat/completions', completion(chatWire)),
  providerRoute(provider, 'POST', '/v1/images/generations', generateImages),
  providerRoute(provider, 'POST', '/v1/audio/transcriptions', transcribe),
  providerRoute(provider, 'GET', '/v1/models', listModels),
  providerRoute(provider, 'GET', '/v1/models/:model', oneModel),
];

/** Its base address is `https://openrouter.ai/api`. */
export const openrouterRoutes = (provider: AiProvider): Route[] => [
  providerRoute(provider, 'POST', '/v1/chat/completions', completion(openrouterWire)),
  providerRoute(provider, 'GET', '/v1/models', listOpenrouterModels),
  providerRoute(provider, 'GET', '/v1/key', ownKey),
];
