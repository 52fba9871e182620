import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `
CREATE TABLE gateway.model_breaker (
  credential_id uuid NOT NULL REFERENCES gateway.credential ON DELETE CASCADE,
  model text NOT NULL,
  failures int NOT NULL CHECK (failures >= 0),
  failed_at timestamptz NOT NULL,
  open_until timestamptz,
  reason text,
  PRIMARY KEY (credential_id, model)
);
COMMENT ON TABLE gateway.model_breaker IS
  'failures of one model with one credential: rate limits, overloads, silence; a row is deleted when the model answers';
COMMENT ON COLUMN gateway.model_breaker.model IS 'the provider''s own name';
COMMENT ON COLUMN gateway.model_breaker.failures IS
  'failures in a row, each at most a minute after the one before; enough of them open the breaker';
COMMENT ON COLUMN gateway.model_breaker.open_until IS
  'in the past: one call of all replicas may claim the probe; during a probe the end of its lease';
`;

/** Circuit breakers of single models. The columns of gateway.credential stay for what concerns all models. */
export class ModelBreakers1790000000390 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.model_breaker');
  }
}
