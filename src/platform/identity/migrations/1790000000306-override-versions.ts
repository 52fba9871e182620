import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From a sequence, so that a member who left and came back never has a version that somebody has read before. */
export class OverrideVersions1790000000306 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE identity.override_version AS int START WITH 2;
      ALTER TABLE identity.membership ADD COLUMN overrides_version int NOT NULL DEFAULT 1;
      COMMENT ON COLUMN identity.membership.overrides_version IS '1: never any since they joined';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.membership DROP COLUMN overrides_version;
      DROP SEQUENCE identity.override_version;
    `);
  }
}
