import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BrandView1790000000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA brands');
    await runner.query(`
      CREATE TABLE brands.brand_view (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        name text NOT NULL,
        timezone text NOT NULL,
        version int NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX brand_of_organization ON brands.brand_view (organization_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA brands CASCADE');
  }
}
