import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each sign-in looks at the sessions a user has, and not at all those that were ended in the last months. */
export class SessionsInUse1790000000307 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX session_in_use ON identity.session (user_id) WHERE revoked_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX identity.session_in_use');
  }
}
