import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which brands may have another owner since a time. */
export class OwnerChanges1790000002420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX brand_changed ON brands.brand_view (updated_at)');
    await runner.query(
      'CREATE OR REPLACE VIEW brands.brand_owner AS SELECT id, organization_id, updated_at AS changed_at FROM brands.brand_view',
    );
    await runner.query(
      `COMMENT ON VIEW brands.brand_owner IS
        'Published: the organization that owns a brand; it has owned it since changed_at or longer.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    // PostgreSQL replaces no view by one with fewer columns.
    await runner.query('DROP VIEW brands.brand_owner');
    await runner.query('CREATE VIEW brands.brand_owner AS SELECT id, organization_id FROM brands.brand_view');
    await runner.query(
      `COMMENT ON VIEW brands.brand_owner IS 'Published: the organization that owns a brand.'`,
    );
    await runner.query('DROP INDEX brands.brand_changed');
  }
}
