import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What other features may read of brands in their SQL. */
export class BrandOwner1790000000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE VIEW brands.brand_owner AS SELECT id, organization_id FROM brands.brand_view`);
    await runner.query(
      `COMMENT ON VIEW brands.brand_owner IS 'Published: the organization that owns a brand.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW brands.brand_owner');
  }
}
