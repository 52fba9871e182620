import type { MigrationInterface, QueryRunner } from 'typeorm';

const APPLICATIONS = ['mail', 'notification', 'payment', 'settlement'];

/**
 * The one organization whose platform administrators administer the installation, and the registrations of the applications that
 * call the provider gateway with a token of their own. They have no scopes, and no organization gets access to them.
 */
export class PlatformAdministration1790000000312 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.organization ADD COLUMN administrative boolean NOT NULL DEFAULT false;
      CREATE UNIQUE INDEX organization_administrative ON identity.organization (administrative) WHERE administrative;
      COMMENT ON COLUMN identity.organization.administrative IS
        'platform administrators act as members of this organization; at most one row';
    `);
    await runner.query(
      `INSERT INTO identity.service
         (slug, name, description, surface_kind, surface_group, launchable, supported_contexts, granted_to_new_organizations)
       SELECT slug, initcap(slug), 'Calls the provider gateway.', 'support', 'platform', false, '{organization}', false
         FROM unnest($1::text[]) AS slug ON CONFLICT (slug) DO NOTHING`,
      [APPLICATIONS],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE identity.organization DROP COLUMN administrative');
    await runner.query('DELETE FROM identity.service WHERE slug = ANY ($1::text[])', [APPLICATIONS]);
  }
}
