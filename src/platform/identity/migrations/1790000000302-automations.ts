import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
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
`;

/** API keys and service principals: both belong to an organization, not to who made them, and outlive them. */
export class Automations1790000000302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE identity.service_principal_token, identity.service_principal, identity.api_key',
    );
  }
}
