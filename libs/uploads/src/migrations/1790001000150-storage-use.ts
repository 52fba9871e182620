import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bytes of files per organization, over all features. */
export class StorageUse1790001000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SCHEMA uploads;
      CREATE TABLE uploads.storage_use (
        organization_id uuid PRIMARY KEY,
        bytes bigint NOT NULL
      ) WITH (fillfactor = 50);
      CREATE FUNCTION uploads.count_bytes(organization uuid, change bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO uploads.storage_use (organization_id, bytes) VALUES (organization, change)
        ON CONFLICT (organization_id) DO UPDATE SET bytes = storage_use.bytes + excluded.bytes $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA uploads CASCADE');
  }
}
