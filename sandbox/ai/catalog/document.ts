import type { ServedProvider } from '../ai-providers.js';
import type { AiModel } from '../provider/models.js';
import { CATALOG_CANDIDATE, CATALOG_FACTS, type CatalogFacts } from './entries.js';

const KEYS: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
};

/**
 * The document of an open catalog in the format of models.dev: providers by id, each with its models by id.
 * @param facts replaces or adds what the catalog knows of a model, by `provider/model`
 * @see https://models.dev/api.json
 */
export function catalogDocument(
  served: readonly ServedProvider[],
  facts: Readonly<Record<string, CatalogFacts>>,
): Record<string, unknown> {
  const known = { ...CATALOG_FACTS, ...facts };
  const document: Record<string, unknown> = {};
  for (const { provider, standsFor } of served) {
    const { name: id, displayName } = provider.nature;
    const listed = provider.models.all.map((model) => entry(model, known[`${id}/${model.id}`]));
    const candidate =
      CATALOG_CANDIDATE.provider === id
        ? [entry({ ...CATALOG_CANDIDATE.model, abilities: ['completion'] }, CATALOG_CANDIDATE.facts)]
        : [];
    document[id] = {
      id,
      env: [KEYS[id]],
      npm: `@ai-sdk/${id}`,
      name: displayName,
      doc: `https://${standsFor}`,
      models: Object.fromEntries([...listed, ...candidate].map((model) => [model.id, model])),
    };
  }
  return document;
}

type ListedModel = Pick<
  AiModel,
  'id' | 'name' | 'abilities' | 'contextWindow' | 'maxOutputTokens' | 'releasedAt'
> &
  Partial<AiModel>;

function entry(
  model: ListedModel,
  facts: CatalogFacts = {},
): { readonly id: string } & Record<string, unknown> {
  const draws = model.abilities.includes('image');
  const hears = model.abilities.includes('transcription');
  return {
    id: model.id,
    name: model.name,
    attachment: draws,
    reasoning: model.reasons ?? false,
    temperature: model.takesTemperature ?? true,
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
