import type { AiCapability } from '../callers/attribution.js';

export const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** Whether calls may use a model of the catalog for a capability. */
export const isUsable = (
  model: { readonly lifecycle: Lifecycle; readonly capabilities: readonly string[] },
  capability: AiCapability,
): boolean => model.lifecycle !== 'retired' && model.capabilities.includes(capability);
