import type { FieldError } from '#libs/errors';
import type { AiCapability } from '../../../access/attribution.js';
import type { CatalogModel } from '../catalog/model.dto.js';
import {
  effectivePreference,
  type EffectivePreference,
  isAllowed,
  type Preference,
} from '../domain/choice.js';
import { isUsable } from '../domain/model-ref.js';
import { isPricedFor } from '../domain/priced-for.js';
import type { ModelUse, ModelWarningDto, WarningCode } from './preference.dto.js';

/** Each model that a preference names, with its first use: default, then fallback, then allowed. */
function namedModels(preference: Preference): ReadonlyMap<string, ModelUse> {
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
): ModelWarningDto[] {
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
  return isPricedFor(capability, model.model, model.prices) ? null : 'unpriced';
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

/** As stored. */
export interface VersionedPreference extends Preference {
  readonly organizationId: string | null;
  readonly version: number;
  readonly updatedAt: Date | null;
}

/** What applies while nothing is stored. */
export const NO_PREFERENCE: Omit<VersionedPreference, 'organizationId'> = {
  defaultModel: null,
  allowedModels: null,
  fallbackChain: null,
  fallbackOnPolicy: false,
  version: 0,
  updatedAt: null,
};

/**
 * What is wrong with a preference; empty: it can be stored. Its models are in the catalog, serve the capability, are not retired and
 * are allowed, also by the platform.
 * @param platform null for the preference of the platform itself
 */
export function preferenceErrors(
  preference: Preference,
  platform: Preference | null,
  capability: AiCapability,
  catalog: ReadonlyMap<string, CatalogModel>,
): FieldError[] {
  const allowing = effectivePreference(platform, preference);
  return pointers(preference).flatMap(({ pointer, model, isRepeated }) => {
    const wrong = isRepeated
      ? { code: 'duplicate', detail: 'must be named once' }
      : problemOf(model, catalog.get(model), allowing, capability);
    return wrong ? [{ pointer, ...wrong }] : [];
  });
}

function problemOf(
  name: string,
  model: CatalogModel | undefined,
  allowing: EffectivePreference,
  capability: AiCapability,
): { code: string; detail: string } | null {
  if (!model) return { code: 'model_not_found', detail: 'must be a model of the catalog, provider/model' };
  if (model.lifecycle === 'retired') return { code: 'model_retired', detail: 'must not be retired' };
  if (!isUsable(model, capability)) return { code: 'other_capability', detail: `must serve ${capability}` };
  if (!isAllowed(allowing, name)) return { code: 'model_not_allowed', detail: 'must be an allowed model' };
  return null;
}

interface NamedAt {
  readonly pointer: string;
  readonly model: string;
  readonly isRepeated: boolean;
}

/** The default and the chain name a model once together, the allowed models once among themselves. */
function pointers({ defaultModel, fallbackChain, allowedModels }: Preference): NamedAt[] {
  const tried = [
    ...(defaultModel === null ? [] : [{ pointer: '#/defaultModel', model: defaultModel }]),
    ...(fallbackChain ?? []).map((model, index) => ({ pointer: `#/fallbackChain/${index}`, model })),
  ];
  const allowed = (allowedModels ?? []).map((model, index) => ({
    pointer: `#/allowedModels/${index}`,
    model,
  }));
  return [...withRepeats(tried), ...withRepeats(allowed)];
}

const withRepeats = (named: readonly Omit<NamedAt, 'isRepeated'>[]): NamedAt[] =>
  named.map((one, index) => ({
    ...one,
    isRepeated: named.slice(0, index).some(({ model }) => model === one.model),
  }));

export const namesIn = (...preferences: readonly Preference[]): string[] => [
  ...new Set(preferences.flatMap((preference) => [...namedModels(preference).keys()])),
];
