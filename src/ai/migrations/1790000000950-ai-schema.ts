import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The schema of the feature; its tables come with later migrations. */
export class AiSchema1790000000950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA ai');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA ai CASCADE');
  }
}
