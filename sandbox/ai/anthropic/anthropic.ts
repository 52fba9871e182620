import { randomBytes } from 'node:crypto';
import type { CompletionWire } from '../completions/completion.js';
import { completion } from '../completions/complete.js';
import type { Usage } from '../../networks/kit/state/rate-windows.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import { asList, asObject, asText } from '../provider/body.js';
import type { ModelDraft } from '../provider/models.js';
import { AiProvider, type AiWorld } from '../provider/provider.js';
import { providerRoute } from '../provider/provider-call.js';
import { listModels, oneModel } from './models.js';
import { anthropicProblem } from './problems.js';
import { checkMessages, readMessages } from './read-messages.js';
import { message, messageEvents } from './write-messages.js';

const MODELS: readonly ModelDraft[] = [
  {
    id: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    takesTemperature: false,
    releasedAt: '2026-09-01',
  },
  {
    id: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    takesTemperature: false,
    releasedAt: '2026-06-30',
  },
  {
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    maxOutputTokens: 64_000,
    snapshot: 'claude-haiku-4-5-20251001',
    releasedAt: '2025-10-01',
  },
];

const messagesWire: CompletionWire = {
  read: readMessages,
  check: (asked, model, { call }) => checkMessages(asked, model, asObject(call.json?.value)),
  whole: message,
  events: messageEvents,
  errorEvent(problem, { provider, requestId, now }) {
    const { body } = provider.nature.write(problem, { requestId, now });
    return `event: error\ndata: ${JSON.stringify(body)}\n\n`;
  },
};

/** Its own header, or Authorization as the official clients since version 1 send it. */
const keyIn = ({ headers, bearerToken }: Call): string | null => {
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : bearerToken;
};

function textOf(call: Call): string | undefined {
  const texts = asList(asObject(call.json?.value).messages).map((each) => {
    const { content } = asObject(each);
    return typeof content === 'string'
      ? content
      : asList(content)
          .map((block) => asText(asObject(block).text))
          .join('');
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

const limitHeaders = ({ limit, remaining, reset }: Usage): Record<string, string> => ({
  'anthropic-ratelimit-requests-limit': String(limit),
  'anthropic-ratelimit-requests-remaining': String(remaining),
  'anthropic-ratelimit-requests-reset': new Date(reset * 1_000).toISOString(),
  'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
});

export const anthropic = (world: AiWorld, key: string): AiProvider =>
  new AiProvider(world, {
    name: 'anthropic',
    displayName: 'Anthropic',
    key,
    models: MODELS,
    keyIn,
    textOf,
    write: anthropicProblem,
    newRequestId: () => `req_${randomBytes(12).toString('hex')}`,
    requestIdHeader: 'request-id',
    limitHeaders,
    billsCacheWrites: true,
  });

export const anthropicRoutes = (provider: AiProvider): Route[] => [
  providerRoute(provider, 'POST', '/v1/messages', completion(messagesWire)),
  providerRoute(provider, 'GET', '/v1/models', listModels),
  providerRoute(provider, 'GET', '/v1/models/:model', oneModel),
];
