import type { AiCapability } from '../../../access/attribution.js';
import type { CatalogModel } from '../catalog/model-row.js';
import { isAllowed, type Preference } from '../domain/choice.js';
import { isPricedFor } from '../domain/priced-for.js';

export const WARNINGS = [
  'not_allowed',
  'unknown',
  'other_capability',
  'retired',
  'deprecated',
  'unlisted',
  'unpriced',
] as const;
export type WarningCode = (typeof WARNINGS)[number];

/** How a preference names a model. */
export type ModelUse = 'default' | 'fallback' | 'allowed';

export interface ModelWarning {
  readonly model: string;
  readonly use: ModelUse;
  readonly code: WarningCode;
  readonly detail: string;
  /** `YYYY-MM-DD`, with `deprecated` and `retired` when it is known. */
  readonly retiresAt: string | null;
}

/** Each model that a preference names, with its first use: default, then fallback, then allowed. */
export function namedModels(preference: Preference): ReadonlyMap<string, ModelUse> {
  const named = new Map<string, ModelUse>();
  const add = (use: ModelUse, models: readonly (string | null)[] | null) => {
    for (const model of models ?? []) if (model !== null && !named.has(model)) named.set(model, use);
  };
  add('default', [preference.defaultModel]);
  add('fallback', preference.fallbackChain);
  add('allowed', preference.allowedModels);
  return named;
}

/** What is wrong with the models that a preference names; the worst for each model. */
export function warningsOf(
  preference: Preference,
  capability: AiCapability,
  catalog: ReadonlyMap<string, CatalogModel>,
): ModelWarning[] {
  return [...namedModels(preference)].flatMap(([name, use]) => {
    const found = catalog.get(name);
    const code = isAllowed(preference, name) ? worst(found, capability) : 'not_allowed';
    if (code === null) return [];
    return [{ model: name, use, code, detail: DETAILS[code], retiresAt: found?.retiresAt ?? null }];
  });
}

function worst(model: CatalogModel | undefined, capability: AiCapability): WarningCode | null {
  if (!model) return 'unknown';
  if (!model.capabilities.includes(capability)) return 'other_capability';
  if (model.lifecycle !== 'active') return model.lifecycle;
  if (model.unlistedSince !== null) return 'unlisted';
  return isPricedFor(capability, model.id, model.prices) ? null : 'unpriced';
}

const DETAILS: Readonly<Record<WarningCode, string>> = {
  not_allowed: 'The allowed models do not contain it. Calls do not use it.',
  unknown: 'The catalog does not have the model. Calls do not use it.',
  other_capability: 'The model does not serve this capability. Calls do not use it.',
  retired: 'The provider refuses the model. Calls do not use it. Choose another one.',
  deprecated: 'The provider will retire the model. Choose another one.',
  unlisted: "The provider's list does not have the model. Check whether it still works.",
  unpriced: 'The model has no price. Calls are refused where a hard limit applies.',
};
