import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { SeededService } from './seeded-services.js';
import { SEEDED_SERVICES } from './seeded-services.js';

/** The services of the platform. Their identifiers are made by the database and differ from installation to installation. */
export class SeedCatalogs1790000000304 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const service of SEEDED_SERVICES) await seed(runner, service);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM identity.service WHERE slug = ANY ($1)', [
      SEEDED_SERVICES.map(({ slug }) => slug),
    ]);
  }
}

async function seed(runner: QueryRunner, service: SeededService): Promise<void> {
  const { slug, name, description, kind, group, householdCapable, contexts, scopes, bundles } = service;
  const [row] = (await runner.query(
    `INSERT INTO identity.service
       (slug, name, description, surface_kind, surface_group, launchable, household_capable, supported_contexts)
     VALUES ($1, $2, $3, $4, $5, $4 = 'application', $6, $7) RETURNING id`,
    [slug, name, description, kind, group, householdCapable, contexts],
  )) as { id: string }[];
  await runner.query(
    `INSERT INTO identity.permission (service_id, scope, description)
     SELECT $1, scope, description FROM unnest($2::text[], $3::text[]) AS s (scope, description)`,
    [row?.id, Object.keys(scopes), Object.values(scopes)],
  );
  await runner.query(
    `INSERT INTO identity.api_key_scope (service_id, scope)
     SELECT service_id, scope FROM identity.permission WHERE service_id = $1`,
    [row?.id],
  );
  for (const [role, bundle] of Object.entries(bundles)) {
    await runner.query(
      `INSERT INTO identity.role_bundle (service_id, role, name) VALUES ($1, $2, initcap($2) || ' of ' || $3::text)`,
      [row?.id, role, name],
    );
    await runner.query(
      `INSERT INTO identity.role_bundle_permission (service_id, role, scope) SELECT $1, $2, unnest($3::text[])`,
      [row?.id, role, bundle],
    );
  }
}
