import type { AiCapability } from '../../callers/attribution.js';
import type { Override, Preference } from '../../models/choice.js';
import { effectivePreference, modelsToTry } from '../../models/choice.js';
import type { Lifecycle } from '../../models/lifecycle.js';
import { isUsable } from '../../models/lifecycle.js';
import { ModelIsNotFound } from '../../models/model.errors.js';
import type { ModelRef } from '../../models/model-ref.js';
import { modelRef } from '../../models/model-ref.js';
import { NoCredentialIsUsable } from '../ai.errors.js';
import type { Plan, PlannedCredential, PlannedModel } from './plan.js';

export type CatalogModel = Omit<PlannedModel, 'credentials'> & {
  readonly lifecycle: Lifecycle;
  readonly capabilities: readonly string[];
};

/** A credential of the organization or of the platform; in the order in which they are to be used. */
export type StoredCredential = PlannedCredential & { readonly provider: string };

/** What the database has about the models that a request may use. */
export interface Stored {
  readonly platform: StoredPreference | null;
  readonly organization: StoredPreference | null;
  readonly models: readonly CatalogModel[];
  readonly credentials: readonly StoredCredential[];
}

export type StoredPreference = Preference & { readonly fallbackOnPolicy: boolean };

/**
 * The models that serve a request, in order, and the credentials of each. A named model must be usable. A default that is retired or
 * has no credential gives way to the fallback chain.
 * @throws ModelOverrideIsNotPermitted, ModelIsNotAllowed, NoModelIsConfigured, ModelIsNotFound, NoCredentialIsUsable
 */
export function selectModels(
  { platform, organization, models, credentials }: Stored,
  capability: AiCapability,
  override: Override | null,
): Plan {
  const preference = effectivePreference(platform, organization);
  const names = modelsToTry(preference, capability, override);
  const usable = names.flatMap((name) => {
    const found = models.find((each) => modelRef(each) === name && isUsable(each, capability));
    return found ? [found] : [];
  });
  assertUsable(names, usable, override);
  const planned = usable
    .map((model) => ({ ...model, credentials: credentialsFor(model, credentials) }))
    .filter((model) => model.credentials.length > 0);
  const [first] = usable;
  if (planned.length === 0) throw new NoCredentialIsUsable(first?.provider ?? '');
  return { models: planned, fallbackOnPolicy: (organization ?? platform)?.fallbackOnPolicy ?? false };
}

function assertUsable(
  names: readonly string[],
  usable: readonly ModelRef[],
  override: Override | null,
): void {
  const [chosen = ''] = names;
  const [first] = usable;
  if (!first || (override && modelRef(first) !== chosen)) throw new ModelIsNotFound(chosen);
}

/**
 * An organization that has credentials of its own for a provider uses only these: its calls are never billed to the platform without
 * its knowledge. One that the provider refused last comes after the others.
 */
function credentialsFor(
  { provider }: ModelRef,
  credentials: readonly StoredCredential[],
): PlannedCredential[] {
  const all = credentials.filter((each) => each.provider === provider);
  const own = all.filter(({ owner }) => owner === 'own');
  const candidates = own.length > 0 ? own : all;
  return candidates.toSorted((a, b) => Number(a.isFailing) - Number(b.isFailing));
}
