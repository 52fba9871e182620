import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A denial survives the membership: a person who leaves and is invited again would be rid of it. What was allowed ends. */
export class KeptDenials1790000001800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.permission_override
        DROP CONSTRAINT permission_override_user_id_organization_id_fkey,
        ADD FOREIGN KEY (organization_id) REFERENCES identity.organization (id) ON DELETE CASCADE,
        ADD FOREIGN KEY (user_id) REFERENCES identity.user_account (id) ON DELETE CASCADE;
      CREATE INDEX permission_override_user_id ON identity.permission_override (user_id);

      CREATE FUNCTION identity.end_allowances() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          DELETE FROM identity.permission_override
            WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id AND effect = 'allow';
          RETURN NULL;
        END $$;
      CREATE TRIGGER end_allowances AFTER DELETE ON identity.membership
        FOR EACH ROW EXECUTE FUNCTION identity.end_allowances();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER end_allowances ON identity.membership;
      DROP FUNCTION identity.end_allowances();
      DROP INDEX identity.permission_override_user_id;
      DELETE FROM identity.permission_override o WHERE NOT EXISTS (
        SELECT FROM identity.membership m WHERE m.user_id = o.user_id AND m.organization_id = o.organization_id);
      ALTER TABLE identity.permission_override
        DROP CONSTRAINT permission_override_organization_id_fkey,
        DROP CONSTRAINT permission_override_user_id_fkey,
        ADD FOREIGN KEY (user_id, organization_id) REFERENCES identity.membership ON DELETE CASCADE;
    `);
  }
}
