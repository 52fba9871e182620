import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a provider said during a call that it does not have a model, whatever its list says. */
export class RefusedModels1790000000374 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.model ADD COLUMN refused_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway.model DROP COLUMN refused_at');
  }
}
