/**
 * SQL, for today in UTC: a model whose day of retirement has come is retired, one with an announced retirement is deprecated.
 * @param model alias of a row of `gateway.model`
 */
export const lifecycleNow = (model: string): string => `CASE
  WHEN ${model}.lifecycle = 'retired' OR ${model}.retires_at <= (now() AT TIME ZONE 'UTC')::date THEN 'retired'
  WHEN ${model}.lifecycle = 'deprecated' OR ${model}.retires_at IS NOT NULL
    OR ${model}.deprecated_at <= (now() AT TIME ZONE 'UTC')::date THEN 'deprecated'
  ELSE 'active' END`;
