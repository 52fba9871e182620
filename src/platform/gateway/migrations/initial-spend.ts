/**
 * Limits of spend and their counters. The platform can limit one organization, in addition to the limit that the organization sets
 * for itself.
 */
export const SPEND_LIMITS = `
  CREATE TABLE gateway.spend_limit (
    id uuid PRIMARY KEY,
    scope_type text NOT NULL,
    scope_value text NOT NULL,
    organization_id uuid,
    period text NOT NULL CHECK (period IN ('day', 'month')),
    hard bigint CHECK (hard > 0),
    soft bigint CHECK (soft > 0),
    version integer NOT NULL DEFAULT 1,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    scope text NOT NULL GENERATED ALWAYS AS (CASE scope_type
      WHEN 'platform' THEN 'platform'
      WHEN 'organization' THEN 'organization:' || scope_value || CASE WHEN organization_id IS NULL THEN ':platform' ELSE '' END
      ELSE 'application:' || scope_value || coalesce(':' || organization_id::text, '') END) STORED,
    CHECK (hard IS NOT NULL OR soft IS NOT NULL),
    CHECK (soft <= hard),
    CHECK (CASE scope_type
      WHEN 'platform' THEN scope_value = 'platform' AND organization_id IS NULL
      WHEN 'organization' THEN
        scope_value = scope_value::uuid::text AND coalesce(organization_id::text, scope_value) = scope_value
      WHEN 'application' THEN scope_value = scope_value::uuid::text
      ELSE false END),
    UNIQUE (scope, period)
  );
  CREATE INDEX spend_limit_organization ON gateway.spend_limit (organization_id);
  COMMENT ON COLUMN gateway.spend_limit.organization_id IS
    'The organization that set the limit; null: the platform set it.';

  CREATE TABLE gateway.spend_counter (
    scope text NOT NULL,
    period text NOT NULL,
    starts_on date NOT NULL,
    reserved bigint NOT NULL DEFAULT 0,
    spent bigint NOT NULL DEFAULT 0,
    alarmed_at timestamptz,
    PRIMARY KEY (scope, period, starts_on)
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE gateway.spend_counter IS
    'What a limit has counted in a day or month (UTC): reservations of running attempts, and what settled ones cost.'`;
