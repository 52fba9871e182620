import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `
CREATE TABLE gateway.model_lifecycle (
  provider text NOT NULL,
  model text NOT NULL,
  deprecated_at date,
  retires_at date,
  replacement text,
  stated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, model),
  FOREIGN KEY (provider, model) REFERENCES gateway.model ON DELETE CASCADE
);
COMMENT ON TABLE gateway.model_lifecycle IS
  'what platform administrators state in place of what sources say; copied to gateway.model, also after each reading of a source';
ALTER TABLE gateway.model_observation ADD COLUMN retires_at date;
COMMENT ON COLUMN gateway.model_observation.retires_at IS
  'what the source says; NULL also for what an older release wrote';
UPDATE gateway.model_observation o SET retires_at = m.retires_at
  FROM gateway.model m
 WHERE m.provider = o.provider AND m.id = o.model AND o.source = o.provider AND m.retires_at IS NOT NULL;
`;

/** The lifecycle of models in place of what sources say. */
export class ModelLifecycles1790000000405 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE gateway.model_lifecycle;
      ALTER TABLE gateway.model_observation DROP COLUMN retires_at;
    `);
  }
}
