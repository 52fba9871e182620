import { ModelIsNotAllowed, ModelOverrideIsNotPermitted, NoModelIsConfigured } from '../model.errors.js';

/** Which models a scope uses for one capability, as `provider/model`. A row of `gateway.model_preference`. */
export interface Preference {
  /** null: that of the platform. */
  readonly defaultModel: string | null;
  /** null: all of the catalog. */
  readonly allowedModels: readonly string[] | null;
  /** Tried in this order after the chosen model. null: that of the platform. */
  readonly fallbackChain: readonly string[] | null;
  /** Whether the chain also continues after a refusal by the content policy of a provider. Of no effect where the chain is null. */
  readonly fallbackOnPolicy: boolean;
}

export interface EffectivePreference extends Preference {
  readonly fallbackChain: readonly string[];
}

/**
 * What applies to an organization: its own default and chain, or else the platform's; `fallbackOnPolicy` is that of the chain. Its allowed models are a part of the platform's:
 * what the platform no longer allows is not allowed in organizations either.
 * @param organization null: it has no preference
 */
export function effectivePreference(
  platform: Preference | null,
  organization: Preference | null,
): EffectivePreference {
  const chain = hasOwnChain(organization) ? organization : platform;
  const allowedModels = bothAllow(platform?.allowedModels ?? null, organization?.allowedModels ?? null);
  return {
    defaultModel: organization?.defaultModel ?? platform?.defaultModel ?? null,
    allowedModels,
    fallbackChain: chain?.fallbackChain ?? [],
    fallbackOnPolicy: chain?.fallbackOnPolicy ?? false,
  };
}

/** An empty chain is one too. */
export const hasOwnChain = (organization: Preference | null): boolean =>
  (organization?.fallbackChain ?? null) !== null;

function bothAllow(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null) return other;
  return other === null ? one : other.filter((model) => one.includes(model));
}

export const isAllowed = ({ allowedModels }: Preference, model: string): boolean =>
  allowedModels === null || allowedModels.includes(model);

/** A model that a request names in place of the default. It counts for that request only: nothing is stored. */
export interface Override {
  readonly model: string;
  /** By the permissions of the caller, see `docs/design/models.md`. */
  readonly isPermitted: boolean;
}

/**
 * The models to try, in order: the one of the request or the default, then the fallback chain. Every one is allowed; whether the
 * catalog has them is for the caller to look up.
 * @throws ModelOverrideIsNotPermitted, ModelIsNotAllowed, NoModelIsConfigured
 */
export function modelsToTry(
  preference: Preference,
  capability: string,
  override: Override | null,
): readonly string[] {
  const chosen = chosenModel(preference, capability, override);
  if (!isAllowed(preference, chosen)) throw new ModelIsNotAllowed(chosen);
  const fallbacks = (preference.fallbackChain ?? []).filter((model) => isAllowed(preference, model));
  return [...new Set([chosen, ...fallbacks])];
}

function chosenModel({ defaultModel }: Preference, capability: string, override: Override | null): string {
  if (override && override.model !== defaultModel) {
    if (!override.isPermitted) throw new ModelOverrideIsNotPermitted();
    return override.model;
  }
  if (defaultModel === null) throw new NoModelIsConfigured(capability);
  return defaultModel;
}
