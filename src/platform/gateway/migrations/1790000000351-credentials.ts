import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `
CREATE TABLE gateway.credential (
  id uuid PRIMARY KEY,
  provider text NOT NULL CHECK (provider ~ '^[a-z][a-z0-9-]{0,62}$'),
  organization_id uuid,
  position int NOT NULL,
  label text NOT NULL,
  data_key text NOT NULL,
  secret text NOT NULL,
  hint text NOT NULL,
  project text,
  enabled boolean NOT NULL DEFAULT true,
  failing_since timestamptz,
  breaker_open_until timestamptz,
  breaker_reason text,
  checked_at timestamptz,
  check_result jsonb,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  rotated_at timestamptz,
  deleted_at timestamptz,
  CHECK (deleted_at IS NULL OR (data_key = '' AND secret = ''))
);
CREATE INDEX credential_in_order ON gateway.credential (provider, organization_id, position, id) WHERE deleted_at IS NULL;
CREATE INDEX credential_of_organization ON gateway.credential (organization_id, id) WHERE deleted_at IS NULL;
COMMENT ON COLUMN gateway.credential.organization_id IS 'null: the default of the platform';
COMMENT ON COLUMN gateway.credential.data_key IS
  'key of this record, encrypted with a key of GATEWAY_ENCRYPTION_KEYS and bound to record, organization and provider';
COMMENT ON COLUMN gateway.credential.secret IS 'encrypted with the data key and bound to record, organization and provider';
COMMENT ON COLUMN gateway.credential.breaker_open_until IS 'infinity: until a check of the credential succeeds';
COMMENT ON COLUMN gateway.credential.deleted_at IS 'the row stays for usage and audit, without its secret';
`;

/** Credentials of providers: the secret is encrypted, the rest is what operators and circuit breakers need. */
export class Credentials1790000000351 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.credential');
  }
}
