import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A preference without a chain of its own uses the platform's. */
export class InheritedChains1790000000359 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE gateway.model_preference
      ALTER COLUMN fallback_chain DROP NOT NULL, ALTER COLUMN fallback_chain DROP DEFAULT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE gateway.model_preference SET fallback_chain = '{}' WHERE fallback_chain IS NULL`,
    );
    await runner.query(`ALTER TABLE gateway.model_preference
      ALTER COLUMN fallback_chain SET DEFAULT '{}', ALTER COLUMN fallback_chain SET NOT NULL`);
  }
}
