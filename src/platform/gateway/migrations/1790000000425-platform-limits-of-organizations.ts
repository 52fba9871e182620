import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * The expression of a generated column cannot be changed before PostgreSQL 17, so the column is made again in the same transaction:
 * processes of the former release find it under its name. They neither count nor apply limits of the new scope, but show them to
 * platform administrators only, because organization_id is null.
 */
const scope = (ofOrganization: string) => `
ALTER TABLE gateway.spend_limit DROP COLUMN scope;
ALTER TABLE gateway.spend_limit ADD COLUMN scope text NOT NULL GENERATED ALWAYS AS (CASE scope_type
  WHEN 'platform' THEN 'platform'
  WHEN 'organization' THEN ${ofOrganization}
  ELSE 'application:' || scope_value || coalesce(':' || organization_id::text, '') END) STORED;
ALTER TABLE gateway.spend_limit ADD CONSTRAINT spend_limit_scope_period_key UNIQUE (scope, period);
`;

const check = (ofOrganization: string) => `
ALTER TABLE gateway.spend_limit DROP CONSTRAINT spend_limit_check2;
ALTER TABLE gateway.spend_limit ADD CONSTRAINT spend_limit_check2 CHECK (CASE scope_type
  WHEN 'platform' THEN scope_value = 'platform' AND organization_id IS NULL
  WHEN 'organization' THEN ${ofOrganization}
  WHEN 'application' THEN scope_value = scope_value::uuid::text
  ELSE false END);
`;

/** The platform can limit one organization, in addition to the limit that the organization sets for itself. */
export class PlatformLimitsOfOrganizations1790000000425 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      check(
        'scope_value = scope_value::uuid::text AND coalesce(organization_id::text, scope_value) = scope_value',
      ),
    );
    await runner.query(
      scope(
        `'organization:' || scope_value || CASE WHEN organization_id IS NULL THEN ':platform' ELSE '' END`,
      ),
    );
    await runner.query(`COMMENT ON COLUMN gateway.spend_limit.organization_id IS
      'The organization that set the limit; null: the platform set it.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM gateway.spend_counter WHERE scope LIKE 'organization:%:platform'`);
    await runner.query(
      `DELETE FROM gateway.spend_limit WHERE scope_type = 'organization' AND organization_id IS NULL`,
    );
    await runner.query(check('organization_id IS NOT NULL AND scope_value = organization_id::text'));
    await runner.query(scope(`'organization:' || scope_value`));
    await runner.query('COMMENT ON COLUMN gateway.spend_limit.organization_id IS NULL');
  }
}
