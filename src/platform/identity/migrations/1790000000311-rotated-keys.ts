import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validation finds the predecessor of a rotated key by this index. */
export class RotatedKeys1790000000311 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE UNIQUE INDEX api_key_replaced_by ON identity.api_key (replaced_by) WHERE replaced_by IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX identity.api_key_replaced_by');
  }
}
