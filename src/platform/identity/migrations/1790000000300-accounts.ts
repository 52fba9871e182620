import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
CREATE SCHEMA identity;

CREATE TABLE identity.user_account (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,
  name text NOT NULL,
  password_hash text NOT NULL,
  principal_type text NOT NULL DEFAULT 'user'
    CHECK (principal_type IN ('user', 'external', 'platform_admin', 'platform_super_admin')),
  launcher_eligible boolean NOT NULL DEFAULT true,
  disabled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN identity.user_account.email_key IS 'NFKC, lower case: what makes two addresses the same account';

CREATE TABLE identity.organization (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  developer_workspace boolean NOT NULL DEFAULT false,
  created_by uuid REFERENCES identity.user_account (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE identity.membership (
  organization_id uuid NOT NULL REFERENCES identity.organization (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES identity.user_account (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, organization_id)
);
CREATE INDEX membership_organization ON identity.membership (organization_id);

CREATE TABLE identity.session (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES identity.user_account (id) ON DELETE CASCADE,
  address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_because text
);
CREATE INDEX session_by_user ON identity.session (user_id);

CREATE TABLE identity.access_token (
  hash bytea PRIMARY KEY,
  hash_version smallint NOT NULL,
  session_id uuid NOT NULL REFERENCES identity.session (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX access_token_session ON identity.access_token (session_id);

CREATE TABLE identity.refresh_token (
  hash bytea PRIMARY KEY,
  hash_version smallint NOT NULL,
  session_id uuid NOT NULL REFERENCES identity.session (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX refresh_token_session ON identity.refresh_token (session_id);

CREATE TABLE identity.login_limit (
  key text PRIMARY KEY,
  failures int NOT NULL,
  blocked_until timestamptz NOT NULL,
  last_failed_at timestamptz NOT NULL
);
`;

/** People, their organizations, and how long each may stay signed in. */
export class Accounts1790000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA identity CASCADE');
  }
}
