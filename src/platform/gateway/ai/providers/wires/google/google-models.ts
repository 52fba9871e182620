import { count, isRecord, list, type Members, record, text } from '../values.js';
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
