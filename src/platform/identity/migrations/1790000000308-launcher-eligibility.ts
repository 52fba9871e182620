import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether somebody may open the launcher goes by what they are, unless it is said of them. Until now `true` was stored
 * for everybody, of whatever type, so it says nothing.
 */
export class LauncherEligibility1790000000308 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.user_account
        ALTER COLUMN launcher_eligible DROP NOT NULL,
        ALTER COLUMN launcher_eligible DROP DEFAULT;
      UPDATE identity.user_account SET launcher_eligible = NULL WHERE launcher_eligible;
      COMMENT ON COLUMN identity.user_account.launcher_eligible IS 'null: by the type, all but external ones';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE identity.user_account SET launcher_eligible = principal_type <> 'external'
       WHERE launcher_eligible IS NULL;
      COMMENT ON COLUMN identity.user_account.launcher_eligible IS NULL;
      ALTER TABLE identity.user_account
        ALTER COLUMN launcher_eligible SET DEFAULT true,
        ALTER COLUMN launcher_eligible SET NOT NULL;
    `);
  }
}
