import type { AiCapability } from '../callers/attribution.js';

export const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** What the catalog stores of the life of a model. Days are `YYYY-MM-DD`, in UTC. */
export interface StoredLifecycle {
  readonly lifecycle: Lifecycle;
  readonly deprecatedAt: string | null;
  readonly retiresAt: string | null;
}

/** On a day: a model whose day of retirement has come is retired, one with an announced retirement is deprecated. */
export function lifecycleOn(day: string, { lifecycle, deprecatedAt, retiresAt }: StoredLifecycle): Lifecycle {
  if (lifecycle === 'retired' || (retiresAt !== null && retiresAt <= day)) return 'retired';
  const isDeprecated = lifecycle === 'deprecated' || retiresAt !== null;
  return isDeprecated || (deprecatedAt !== null && deprecatedAt <= day) ? 'deprecated' : 'active';
}

/** The same in SQL. @param model alias of a row of `gateway.model` */
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
