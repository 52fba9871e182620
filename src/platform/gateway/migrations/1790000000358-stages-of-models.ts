import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each source says of the life of a model, and the choice to continue a chain after a refusal by a content policy. */
export class StagesOfModels1790000000358 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.model_observation ADD COLUMN stage text NOT NULL DEFAULT 'active'
        CHECK (stage IN ('active', 'deprecated', 'retired'));
      ALTER TABLE gateway.model_preference ADD COLUMN fallback_on_policy boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN gateway.model_preference.fallback_on_policy IS
        'Whether the next model is tried after a refusal by the content policy of a provider.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.model_preference DROP COLUMN fallback_on_policy;
      ALTER TABLE gateway.model_observation DROP COLUMN stage;
    `);
  }
}
