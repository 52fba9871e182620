import type { AiCapability } from '../callers/attribution.js';

export const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/**
 * SQL, for today in UTC: a model whose day of retirement has come is retired, one with an announced retirement is deprecated.
 * @param model alias of a row of `gateway.model`
 */
export const lifecycleNow = (model: string): string => `CASE
  WHEN ${model}.lifecycle = 'retired' OR ${model}.retires_at <= (now() AT TIME ZONE 'UTC')::date THEN 'retired'
  WHEN ${model}.lifecycle = 'deprecated' OR ${model}.retires_at IS NOT NULL
    OR ${model}.deprecated_at <= (now() AT TIME ZONE 'UTC')::date THEN 'deprecated'
  ELSE 'active' END`;

/** Whether calls may use a model of the catalog for a capability. */
export const isUsable = (
  model: { readonly lifecycle: Lifecycle; readonly capabilities: readonly string[] },
  capability: AiCapability,
): boolean => model.lifecycle !== 'retired' && model.capabilities.includes(capability);
