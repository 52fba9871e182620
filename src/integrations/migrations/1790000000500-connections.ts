import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONNECTION = `
  CREATE TABLE integrations.connection (
    id uuid PRIMARY KEY,
    brand_id uuid NOT NULL,
    user_id uuid NOT NULL,
    platform text NOT NULL,
    account_id text NOT NULL,
    username text NOT NULL,
    display_name text NOT NULL,
    avatar_url text,
    scopes text[] NOT NULL,
    pages jsonb NOT NULL,
    groups jsonb NOT NULL,
    state text NOT NULL CHECK (state IN ('active', 'reconnect-needed', 'disconnected')),
    access_token text,
    refresh_token text,
    access_expires_at timestamptz,
    token_version int NOT NULL DEFAULT 1,
    held_until timestamptz,
    hold_reason text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (brand_id, platform, account_id, user_id),
    CHECK (state <> 'active' OR access_token IS NOT NULL),
    CHECK (state <> 'disconnected' OR (access_token IS NULL AND refresh_token IS NULL))
  );
  CREATE INDEX connection_account ON integrations.connection (platform, account_id);
  CREATE INDEX connection_expiring ON integrations.connection (access_expires_at)
    WHERE state = 'active' AND refresh_token IS NOT NULL`;

/** Sign-ins at a network that are under way; taken out by their return or, when they never return, by a sweep. */
const AUTHORIZATION_REQUEST = `
  CREATE TABLE integrations.authorization_request (
    state_hash bytea PRIMARY KEY,
    platform text NOT NULL,
    brand_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    code_verifier text NOT NULL,
    cookie_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX authorization_request_expired ON integrations.authorization_request (expires_at)`;

const PLATFORM_HOLD = `
  CREATE TABLE integrations.platform_hold (platform text PRIMARY KEY, until timestamptz NOT NULL, reason text NOT NULL)`;

export class Connections1790000000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA integrations');
    for (const sql of [CONNECTION, AUTHORIZATION_REQUEST, PLATFORM_HOLD]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA integrations CASCADE');
  }
}
