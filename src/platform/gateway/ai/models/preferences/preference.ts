import type { FieldError } from '#libs/errors';
import type { AiCapability } from '../../../access/attribution.js';
import type { CatalogModel } from '../catalog/model-row.js';
import {
  effectivePreference,
  type EffectivePreference,
  isAllowed,
  type Preference,
} from '../domain/choice.js';
import { isUsable } from '../domain/lifecycle.js';
import { namedModels } from './warnings.js';

export const MAX_ALLOWED = 200;
export const MAX_CHAIN = 10;

export interface VersionedPreference extends Preference {
  readonly version: number;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

/** What applies while nothing is stored. */
export const NO_PREFERENCE: VersionedPreference = {
  defaultModel: null,
  allowedModels: null,
  fallbackChain: null,
  fallbackOnPolicy: false,
  version: 0,
  updatedAt: null,
  updatedBy: null,
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

/** For the catalog. */
export const namesIn = (...preferences: readonly Preference[]): string[] => [
  ...new Set(preferences.flatMap((preference) => [...namedModels(preference).keys()])),
];
