import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the sign-in of each connection began; null: before this column existed. */
export class SignInTimes1790000001650 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.connection ADD COLUMN signed_in_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.connection DROP COLUMN signed_in_at');
  }
}
