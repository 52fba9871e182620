import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `brand_owner` is what other features may read of brands in their SQL. */
const BRANDS = `
  CREATE TABLE brands.brand_view (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    timezone text NOT NULL,
    version int NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  CREATE INDEX brand_of_organization ON brands.brand_view (organization_id, id);
  CREATE INDEX brand_changed ON brands.brand_view (updated_at);

  CREATE VIEW brands.brand_owner AS
    SELECT id, organization_id, updated_at AS changed_at FROM brands.brand_view;
  COMMENT ON VIEW brands.brand_owner IS
    'Published: the organization that owns a brand; it has owned it since changed_at or longer.'`;

export class Brands1790001000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA brands');
    await runner.query(BRANDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA brands CASCADE');
  }
}
