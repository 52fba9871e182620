import type { AiCapability } from '../../../access/attribution.js';
import { aiProviderNamed } from '../../providers/ai-providers.js';
import { ModelIsNotFound } from '../model.errors.js';

export const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** Of models that can be chosen. */
export const OFFERED: readonly Lifecycle[] = ['active', 'deprecated'];

export const isUsable = (
  model: { readonly lifecycle: Lifecycle; readonly capabilities: readonly string[] },
  capability: AiCapability,
): boolean => OFFERED.includes(model.lifecycle) && model.capabilities.includes(capability);

/** A model of a provider, written `provider/model`, for example `openai/gpt-image-2`. The model can contain slashes. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** Of requests that store one. */
export const REF = /^[a-z][a-z0-9-]{0,62}\/[^\s"'\\]{1,200}$/;

/** null for text that is no reference. */
export function parseModelRef(text: string): ModelRef | null {
  const slash = text.indexOf('/');
  if (slash < 1 || slash === text.length - 1) return null;
  return { provider: text.slice(0, slash), model: text.slice(slash + 1) };
}

export const modelRef = ({ provider, model }: ModelRef): string => `${provider}/${model}`;

/** Of a request. @throws ModelIsNotFound */
export function refOf(model: string): ModelRef {
  const ref = parseModelRef(model);
  if (!ref) throw new ModelIsNotFound(model.slice(0, 264));
  return ref;
}

const NAMED_AFTER_REASONING = /think|reason/;

/** Whether the output of a model can have hidden tokens that are billed. Every model that is not known counts as such. */
export function mayReason({ provider, model }: ModelRef): boolean {
  const vendor = aiProviderNamed(provider)?.namesVendors ? parseModelRef(model) : { provider, model };
  if (!vendor || NAMED_AFTER_REASONING.test(vendor.model)) return true;
  return !aiProviderNamed(vendor.provider)?.withoutReasoning?.test(vendor.model);
}
