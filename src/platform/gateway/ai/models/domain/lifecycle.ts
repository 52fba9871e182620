import type { AiCapability } from '../../../access/attribution.js';

export const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** Of models that can be chosen. */
export const OFFERED: readonly Lifecycle[] = ['active', 'deprecated'];

/** Whether calls may use a model of the catalog for a capability. */
export const isUsable = (
  model: { readonly lifecycle: Lifecycle; readonly capabilities: readonly string[] },
  capability: AiCapability,
): boolean => OFFERED.includes(model.lifecycle) && model.capabilities.includes(capability);
