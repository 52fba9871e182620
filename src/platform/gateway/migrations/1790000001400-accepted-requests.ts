import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What sources of the catalog say that requests to a model may hold. */
export class AcceptedRequests1790000001400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.model ADD COLUMN accepts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(accepts) = 'object');
      COMMENT ON COLUMN gateway.model.accepts IS
        'What sources say that requests may hold: temperature, stop, tools, schema. A member that is missing is not known.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.model DROP COLUMN accepts');
  }
}
