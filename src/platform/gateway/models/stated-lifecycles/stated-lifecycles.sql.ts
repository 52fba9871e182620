import { statement } from '#libs/database';

/** No row: the catalog has no such model. $1 provider, $2 model, $3 day of deprecation, $4 day of retirement, $5 replacement */
export const STATE = statement(
  'gateway_state_lifecycle',
  `WITH stated AS (
     INSERT INTO gateway.model_lifecycle (provider, model, deprecated_at, retires_at, replacement)
     SELECT provider, id, $3::date, $4::date, $5::text FROM gateway.model WHERE provider = $1 AND id = $2
     ON CONFLICT (provider, model) DO UPDATE
        SET deprecated_at = excluded.deprecated_at, retires_at = excluded.retires_at,
            replacement = excluded.replacement, stated_at = now()
     RETURNING *)
   UPDATE gateway.model m
      SET lifecycle = 'active', deprecated_at = s.deprecated_at, retires_at = s.retires_at, replacement = s.replacement
     FROM stated s WHERE m.provider = s.provider AND m.id = s.model
   RETURNING m.id`,
);

/** $1 provider, $2 model */
export const FIND = statement(
  'gateway_find_model',
  `SELECT id FROM gateway.model WHERE provider = $1 AND id = $2`,
);

/**
 * The day of retirement is that of the provider's own list; stage and day of deprecation follow as after a reading. No row: nothing was
 * stated. $1 provider, $2 model
 */
export const WITHDRAW = statement(
  'gateway_withdraw_lifecycle',
  `WITH withdrawn AS (
     DELETE FROM gateway.model_lifecycle WHERE provider = $1 AND model = $2 RETURNING provider, model),
   said AS (
     SELECT o.provider, o.model, max(o.retires_at) FILTER (WHERE o.source = o.provider) AS retires_at,
            CASE WHEN bool_or(o.stage = 'retired') THEN 'retired'
                 WHEN bool_or(o.stage = 'deprecated') THEN 'deprecated' ELSE 'active' END AS stage
       FROM gateway.model_observation o JOIN withdrawn USING (provider, model) GROUP BY o.provider, o.model)
   UPDATE gateway.model m
      SET lifecycle = coalesce(said.stage, 'active'), retires_at = said.retires_at, replacement = NULL,
          deprecated_at = CASE WHEN said.stage <> 'active' OR said.retires_at IS NOT NULL
            THEN (now() AT TIME ZONE 'UTC')::date END
     FROM withdrawn LEFT JOIN said USING (provider, model)
    WHERE m.provider = withdrawn.provider AND m.id = withdrawn.model
   RETURNING m.id`,
);
