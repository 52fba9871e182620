import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
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
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  service_id uuid NOT NULL,
  scope text NOT NULL,
  effect text NOT NULL CHECK (effect IN ('allow', 'deny')),
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id, service_id, scope),
  FOREIGN KEY (user_id, organization_id) REFERENCES identity.membership ON DELETE CASCADE,
  FOREIGN KEY (service_id, scope) REFERENCES identity.permission ON DELETE CASCADE
);

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
  'What a member may do in a service: the role bundle and allowing overrides, less denying ones; nothing where the organization has no access';
`;

/** The catalog store: services, what can be permitted in each, what roles bring, and which organization has which. */
export class Catalogs1790000000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION identity.scopes_of;
      DROP TABLE identity.permission_override, identity.organization_service_access,
        identity.role_bundle_permission, identity.role_bundle, identity.api_key_scope,
        identity.permission, identity.service;
    `);
  }
}
