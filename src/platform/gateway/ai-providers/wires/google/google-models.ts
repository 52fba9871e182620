import { count, isRecord, list, record, text } from '../values.js';
import type { ModelsPage } from '../model-pages.js';
import type { ListedModel } from '../wire.js';

const NAME = /^models\/(.+)$/;
const METHOD = 'generateContent';

/**
 * `GET /v1beta/models`: `{models: [{name, displayName, inputTokenLimit, outputTokenLimit, supportedGenerationMethods}], nextPageToken}`.
 * Models that this wire cannot call, for example of embeddings, are left out. null: not readable.
 */
export function modelsPageIn(body: unknown): ModelsPage | null {
  if (!isRecord(body) || 'error' in body) return null;
  // An empty list is left out in JSON of protocol buffers.
  const { models = [], nextPageToken } = body;
  if (!Array.isArray(models)) return null;
  const read = list(models).filter(isCallable).map(modelOf);
  if (read.includes(null)) return null;
  return { models: read.filter((model) => model !== null), next: text(nextPageToken) };
}

const isCallable = (value: unknown) => {
  const { supportedGenerationMethods: methods } = record(value);
  return !Array.isArray(methods) || methods.includes(METHOD);
};

function modelOf(value: unknown): ListedModel | null {
  if (!isRecord(value)) return null;
  const id = NAME.exec(text(value.name) ?? '')?.[1];
  if (id === undefined) return null;
  return {
    id,
    name: text(value.displayName),
    contextWindow: count(value.inputTokenLimit),
    maxOutputTokens: count(value.outputTokenLimit),
    retiresAt: null,
  };
}
