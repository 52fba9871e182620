import type { AiCapability } from '../../../access/attribution.js';
import {
  effectivePreference,
  hasOwnChain,
  modelsToTry,
  type Override,
  type Preference,
} from '../../models/domain/choice.js';
import {
  isUsable,
  type Lifecycle,
  modelRef,
  type ModelRef,
  parseModelRef,
} from '../../models/domain/model-ref.js';
import { ModelIsNotFound, ModelIsRetired } from '../../models/model.errors.js';
import { NoCredentialIsUsable } from '../../ai.errors.js';
import { type Circuit, CLOSED, type PlannedCredential, type PlannedModel, type RoutingPlan } from './plan.js';

export type CatalogModel = Omit<PlannedModel, 'credentials'> & {
  readonly lifecycle: Lifecycle;
  /** `YYYY-MM-DD`. */
  readonly retiresAt: string | null;
  readonly capabilities: readonly string[];
};

/** What the database has about the models that a request may use. */
export interface Stored {
  readonly platform: Preference | null;
  readonly organization: Preference | null;
  readonly models: readonly CatalogModel[];
  /** In the order in which they are to be used. */
  readonly credentials: readonly StoredCredential[];
}

export type StoredCredential = Omit<PlannedCredential, 'ofModel'> & {
  /** By the provider's own name; those that have failed. */
  readonly ofModels: ReadonlyMap<string, Circuit>;
};

/**
 * The models that serve a request, in order, and the credentials of each. A named model must be usable. A default that is retired or
 * has no credential gives way to the fallback chain.
 * @throws ModelOverrideIsNotPermitted, ModelIsNotAllowed, NoModelIsConfigured, ModelIsNotFound, ModelIsRetired, NoCredentialIsUsable
 */
export function selectModels(
  { platform, organization, models, credentials }: Stored,
  capability: AiCapability,
  override: Override | null,
): Omit<RoutingPlan, 'returnedPrices'> {
  const preference = effectivePreference(platform, organization);
  const names = modelsToTry(preference, capability, override);
  const staysOwn = !hasOwnChain(organization) && isLedByOwn(names, credentials);
  const usable = names.flatMap((name, place) => {
    const found = models.find((each) => modelRef(each) === name && isUsable(each, capability));
    return found && (place === 0 || !staysOwn || hasOwn(found.provider, credentials)) ? [found] : [];
  });
  assertUsable(names, usable, override, models);
  const planned = usable
    .map((model) => ({ ...model, credentials: credentialsFor(model, credentials) }))
    .filter((model) => model.credentials.length > 0);
  assertChosenHasCredential(usable, planned, override);
  const [chosen = ''] = names;
  return { chosen, models: planned, fallbackOnPolicy: preference.fallbackOnPolicy };
}

const hasOwn = (provider: string, credentials: readonly StoredCredential[]): boolean =>
  credentials.some((each) => each.provider === provider && each.organizationId !== null);

/**
 * A chain that the organization did not write moves none of its calls from its own account to that of the platform, whether or not the
 * catalog still has the model that leads the chain: the first one whose provider has a credential.
 */
function isLedByOwn(names: readonly string[], credentials: readonly StoredCredential[]): boolean {
  const providers = names.map((name) => parseModelRef(name)?.provider);
  const leading = providers.find((provider) => credentials.some((each) => each.provider === provider));
  return leading !== undefined && hasOwn(leading, credentials);
}

function assertUsable(
  names: readonly string[],
  usable: readonly ModelRef[],
  override: Override | null,
  models: readonly CatalogModel[],
): void {
  const [chosen = ''] = names;
  const [first] = usable;
  if (first && (!override || modelRef(first) === chosen)) return;
  const known = models.find((each) => modelRef(each) === chosen);
  throw known?.lifecycle === 'retired'
    ? new ModelIsRetired(chosen, known.retiresAt)
    : new ModelIsNotFound(chosen);
}

function assertChosenHasCredential(
  [first]: readonly ModelRef[],
  [planned]: readonly ModelRef[],
  override: Override | null,
): void {
  const isReplaced = override && first && planned && modelRef(planned) !== modelRef(first);
  if (!planned || isReplaced) throw new NoCredentialIsUsable(first?.provider ?? '');
}

/**
 * An organization that has credentials of its own for a provider uses only these: its calls are never billed to the platform without
 * its knowledge. One that the provider refused last comes after the others.
 */
function credentialsFor(
  { provider, model }: ModelRef,
  credentials: readonly StoredCredential[],
): PlannedCredential[] {
  const all = credentials.filter((each) => each.provider === provider);
  const own = all.filter(({ organizationId }) => organizationId !== null);
  const candidates = own.length > 0 ? own : all;
  return candidates
    .toSorted((a, b) => Number(a.isFailing) - Number(b.isFailing))
    .map(({ ofModels, ...credential }) => ({ ...credential, ofModel: ofModels.get(model) ?? CLOSED }));
}
