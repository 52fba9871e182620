import { type AiModel, modelOf } from '../provider/models.js';
import type { AiProvider } from '../provider/provider.js';

/** Prices in US dollars for a million tokens. */
interface CatalogCost {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly input_audio?: number;
}

/** What the open catalog knows of a model beyond what its provider lists. */
export interface CatalogFacts {
  /** Absent: the catalog has no price. */
  readonly cost?: CatalogCost;
  readonly status?: 'deprecated' | 'beta' | 'alpha';
}

/** By `provider/model`. A price of 0 is a free tier, or not known. */
const CATALOG_FACTS: Readonly<Record<string, CatalogFacts>> = {
  'openai/gpt-5.4': { cost: { input: 2.5, output: 15, cache_read: 0.25 } },
  'openai/gpt-5.4-mini': { cost: { input: 0.75, output: 4.5, cache_read: 0.075 } },
  'openai/gpt-6-luna': { cost: { input: 0.1, output: 0.5, cache_read: 0.01 } },
  'openai/gpt-4o-mini': { cost: { input: 0.15, output: 0.6, cache_read: 0.075 }, status: 'deprecated' },
  'openai/gpt-image-1.5': { status: 'deprecated' },
  'openai/gpt-image-1-mini': { status: 'deprecated' },
  'anthropic/claude-opus-5-5': { cost: { input: 4, output: 20, cache_read: 0.2, cache_write: 5 } },
  'anthropic/claude-sonnet-5': { cost: { input: 2, output: 10, cache_read: 0.2, cache_write: 2.5 } },
  'anthropic/claude-haiku-4-5': { cost: { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 } },
  'google/gemini-3.5-flash': { cost: { input: 1.5, output: 9, cache_read: 0.15 } },
  'google/gemini-3.8-flash': { cost: { input: 0.75, output: 3.75, cache_read: 0.075 } },
  'google/gemini-2.5-flash': { cost: { input: 0.3, output: 2.5, cache_read: 0.03, input_audio: 1 } },
  'openrouter/openai/gpt-5.4-mini': { cost: { input: 0.75, output: 4.5 } },
  'openrouter/anthropic/claude-opus-5.5': { cost: { input: 4, output: 20 } },
  'openrouter/google/gemini-3.5-flash': { cost: { input: 0, output: 0 } },
};

/** Model that the catalog has and no provider of the sandbox lists: a candidate. */
const CATALOG_CANDIDATE = {
  provider: 'anthropic',
  model: modelOf({
    id: 'claude-sonnet-6-preview',
    name: 'Claude Sonnet 6 (preview)',
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    releasedAt: '2026-11-10',
  }),
  facts: { cost: { input: 2, output: 10 }, status: 'beta' } satisfies CatalogFacts,
};

/**
 * The document of an open catalog in the format of models.dev: providers by id, each with its models by id.
 * @param facts replaces or adds what the catalog knows of a model, by `provider/model`
 * @see https://models.dev/api.json
 */
export function catalogDocument(
  providers: readonly AiProvider[],
  facts: Readonly<Record<string, CatalogFacts>>,
): Record<string, unknown> {
  const known = { ...CATALOG_FACTS, ...facts };
  const document: Record<string, unknown> = {};
  for (const { nature, models } of providers) {
    const { name: id, displayName, standsFor, keyVariable } = nature;
    const listed = models.all.map((model) => entry(model, known[`${id}/${model.id}`]));
    const { provider, model: latest, facts: itsFacts } = CATALOG_CANDIDATE;
    const candidate = provider === id ? [entry(latest, itsFacts)] : [];
    document[id] = {
      id,
      env: [keyVariable],
      npm: `@ai-sdk/${id}`,
      name: displayName,
      doc: `https://${standsFor}`,
      models: Object.fromEntries([...listed, ...candidate].map((model) => [model.id, model])),
    };
  }
  return document;
}

function entry(model: AiModel, facts: CatalogFacts = {}) {
  const draws = model.abilities.includes('image');
  const hears = model.abilities.includes('transcription');
  return {
    id: model.id,
    name: model.name,
    attachment: draws,
    reasoning: model.reasons,
    temperature: model.takesTemperature,
    tool_call: model.abilities.includes('completion'),
    release_date: model.releasedAt,
    last_updated: model.releasedAt,
    modalities: {
      input: [
        ...(hears && !model.abilities.includes('completion') ? [] : ['text']),
        ...(hears ? ['audio'] : []),
      ],
      output: draws ? ['text', 'image'] : ['text'],
    },
    open_weights: false,
    ...facts,
    limit: { context: model.contextWindow, output: model.maxOutputTokens },
  };
}
