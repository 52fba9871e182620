import { aiProviderNamed } from '../../providers/ai-providers.js';
import { type ModelRef, parseModelRef } from './model-ref.js';

const NAMED_AFTER_REASONING = /think|reason/;

/** Whether the output of a model can have hidden tokens that are billed. Every model that is not known counts as such. */
export function mayReason({ provider, model }: ModelRef): boolean {
  const vendor = aiProviderNamed(provider)?.namesVendors ? parseModelRef(model) : { provider, model };
  if (!vendor || NAMED_AFTER_REASONING.test(vendor.model)) return true;
  return !aiProviderNamed(vendor.provider)?.withoutReasoning?.test(vendor.model);
}
