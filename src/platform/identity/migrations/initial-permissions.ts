/**
 * The catalog store: services, what can be permitted in each, what roles bring, and which organization has which.
 *
 * A denial survives the membership: a person who leaves and is invited again would be rid of it. What was allowed ends.
 */
export const CATALOGS = `
  CREATE TABLE identity.service (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z][a-z0-9-]{1,62}$'),
    name text NOT NULL,
    description text NOT NULL,
    surface_kind text NOT NULL CHECK (surface_kind IN ('application', 'api', 'runtime', 'support')),
    surface_group text NOT NULL,
    launchable boolean NOT NULL,
    household_capable boolean NOT NULL DEFAULT false,
    supported_contexts text[] NOT NULL CHECK (supported_contexts <@ '{personal,organization}'),
    granted_to_new_organizations boolean NOT NULL DEFAULT true,
    CHECK (surface_kind = 'application' OR NOT launchable)
  );

  CREATE TABLE identity.permission (
    service_id uuid NOT NULL REFERENCES identity.service (id) ON DELETE CASCADE,
    scope text NOT NULL CHECK (scope ~ '^[a-z_]+\\.[a-z_]+$'),
    description text NOT NULL,
    PRIMARY KEY (service_id, scope)
  );
  COMMENT ON COLUMN identity.permission.scope IS 'resource.action; as a permission it is written serviceId.resource:action';

  CREATE TABLE identity.api_key_scope (
    service_id uuid NOT NULL,
    scope text NOT NULL,
    PRIMARY KEY (service_id, scope),
    FOREIGN KEY (service_id, scope) REFERENCES identity.permission ON DELETE CASCADE
  );

  CREATE TABLE identity.role_bundle (
    service_id uuid NOT NULL REFERENCES identity.service (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    name text NOT NULL,
    PRIMARY KEY (service_id, role)
  );

  CREATE TABLE identity.role_bundle_permission (
    service_id uuid NOT NULL,
    role text NOT NULL,
    scope text NOT NULL,
    PRIMARY KEY (service_id, role, scope),
    FOREIGN KEY (service_id, role) REFERENCES identity.role_bundle ON DELETE CASCADE,
    FOREIGN KEY (service_id, scope) REFERENCES identity.permission ON DELETE CASCADE
  );

  CREATE TABLE identity.organization_service_access (
    organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
    service_id uuid NOT NULL REFERENCES identity.service (id) ON DELETE CASCADE,
    granted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, service_id)
  );

  CREATE TABLE identity.permission_override (
    organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES identity.user_account (id) ON DELETE CASCADE,
    service_id uuid NOT NULL,
    scope text NOT NULL,
    effect text NOT NULL CHECK (effect IN ('allow', 'deny')),
    reason text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, user_id, service_id, scope),
    FOREIGN KEY (service_id, scope) REFERENCES identity.permission ON DELETE CASCADE
  );
  CREATE INDEX permission_override_user_id ON identity.permission_override (user_id);

  CREATE FUNCTION identity.end_allowances() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM identity.permission_override
        WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id AND effect = 'allow';
      RETURN NULL;
    END $$;
  CREATE TRIGGER end_allowances AFTER DELETE ON identity.membership
    FOR EACH ROW EXECUTE FUNCTION identity.end_allowances();

  CREATE FUNCTION identity.scopes_of(organization uuid, member uuid, member_role text, service uuid)
    RETURNS text[] LANGUAGE sql STABLE
    RETURN (SELECT coalesce(array_agg(scope ORDER BY scope), '{}') FROM (
      SELECT scope FROM identity.role_bundle_permission b
        WHERE b.service_id = service AND b.role = member_role
      UNION
      SELECT scope FROM identity.permission_override o
        WHERE o.organization_id = organization AND o.user_id = member AND o.service_id = service
          AND o.effect = 'allow'
      EXCEPT
      SELECT scope FROM identity.permission_override o
        WHERE o.organization_id = organization AND o.user_id = member AND o.service_id = service
          AND o.effect = 'deny'
    ) granted WHERE EXISTS (SELECT FROM identity.organization_service_access a
        WHERE a.organization_id = organization AND a.service_id = service));
  COMMENT ON FUNCTION identity.scopes_of IS
    'What a member may do in a service: the role bundle and allowing overrides, less denying ones; nothing where the organization has no access'`;

/**
 * API keys and service principals: both belong to an organization, not to the person who made them, and outlive that person.
 * Validation finds the predecessor of a rotated key by `replaced_by`.
 */
export const AUTOMATIONS = `
  CREATE TABLE identity.api_key (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
    service_id uuid NOT NULL REFERENCES identity.service (id) ON DELETE CASCADE,
    name text NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    hash_version smallint NOT NULL,
    scopes text[] NOT NULL,
    brand_ids uuid[],
    created_by uuid REFERENCES identity.user_account (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    replaced_by uuid REFERENCES identity.api_key (id)
  );
  CREATE INDEX api_key_organization ON identity.api_key (organization_id, id);
  CREATE UNIQUE INDEX api_key_replaced_by ON identity.api_key (replaced_by) WHERE replaced_by IS NOT NULL;

  CREATE TABLE identity.service_principal (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
    service_id uuid NOT NULL REFERENCES identity.service (id) ON DELETE CASCADE,
    name text NOT NULL,
    scopes text[] NOT NULL,
    brand_ids uuid[],
    created_by uuid REFERENCES identity.user_account (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz
  );
  CREATE INDEX service_principal_organization ON identity.service_principal (organization_id, id);

  CREATE TABLE identity.service_principal_token (
    hash bytea PRIMARY KEY,
    hash_version smallint NOT NULL,
    principal_id uuid NOT NULL REFERENCES identity.service_principal (id) ON DELETE CASCADE,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz
  );
  CREATE INDEX service_principal_token_principal ON identity.service_principal_token (principal_id);
  CREATE INDEX service_principal_token_expiry ON identity.service_principal_token (expires_at)
    WHERE expires_at IS NOT NULL`;
