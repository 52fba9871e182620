import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bytes of files per organization, over all features. */
export class StorageUse1790000000150 implements MigrationInterface {
  readonly name = 'StorageUse1790000000150';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA uploads');
    await runner.query(`
      CREATE TABLE uploads.storage_use (
        organization_id uuid PRIMARY KEY,
        bytes bigint NOT NULL
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE FUNCTION uploads.count_bytes(organization uuid, change bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO uploads.storage_use (organization_id, bytes) VALUES (organization, change)
        ON CONFLICT (organization_id) DO UPDATE SET bytes = storage_use.bytes + excluded.bytes $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION uploads.count_bytes(uuid, bigint)');
    await runner.query('DROP TABLE uploads.storage_use');
    await runner.query('DROP SCHEMA uploads');
  }
}
